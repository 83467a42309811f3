"""The thoughts that some servers leave in front of a model's answer, and the answer behind them."""

from __future__ import annotations

import re

_TAG = r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis)"
_OPENED = re.compile(rf"<({_TAG})>|\[(THINK)\]|◁(think)▷", re.IGNORECASE)
_STRAY = re.compile(r"</(?:think|thinking|reasoning)>|\[/THINK\]|◁/think▷", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s{0,9}(\w{1,40})[^<]{0,80}<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|start)\|>")
_ANSWERED = re.compile(
    r"^\W{0,3}(?:```|~~~|#{1,6}[ \t]|source type\b)", re.MULTILINE | re.IGNORECASE
)
"""What begins an answer: thoughts have no headings, code or first lines."""
_PREAMBLE = re.compile(
    r"\A\W{0,4}(?:reasoning|thinking|thought process|thoughts|chain of thought)\W{0,4}:", re.I
)
_ANSWER = re.compile(
    r"^\W{0,4}(?:final answer|answer|final report|output)\W{0,4}:[ \t*_]*|^(?=#{1,3}[ \t])",
    re.I | re.M,
)


def without_reasoning(text: str, *, is_cut: bool = False) -> str:
    """The answer behind its reasoning. Thoughts that do not end are all there is of an answer that
    was cut off, which `is_cut` says; of a whole one they lose their tag alone."""
    text = _final_channel(text.strip(), is_cut)
    position = 0
    while opened := _OPENED.match(text, position):
        closing = re.compile(_closing(opened), re.IGNORECASE)
        closed = closing.search(text, opened.end())
        if closed is None:
            return "" if is_cut else text[opened.end() :].strip()
        position = closed.end()
    return _behind_preamble(_behind_stray(text[position:]))


def _closing(opened: re.Match[str]) -> str:
    """What ends the thoughts, with the space behind it."""
    tag = rf"</{re.escape(opened[1])}>" if opened[1] else r"\[/THINK\]" if opened[2] else "◁/think▷"
    return rf"{tag}\s*"


def _behind_stray(text: str) -> str:
    """Some servers open the thoughts in the prompt, so that only their end is in the answer."""
    stray = _STRAY.search(text)
    if stray is None or _ANSWERED.search(text, 0, stray.start()) or "`" in text[: stray.start()]:
        return text
    return text[stray.end() :].strip() or text


def _final_channel(text: str, is_cut: bool) -> str:
    """The last channel of an answer that was left in the form of gpt-oss."""
    if not text.startswith("<|"):
        return text
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return text
    final = [match for match in channels if match[1].lower() == "final"]
    if not final and is_cut:
        return ""
    start = (final or channels)[-1].end()
    return _CHANNEL_END.split(text[start:], maxsplit=1)[0].strip()


def _behind_preamble(text: str) -> str:
    """What follows a paragraph headed `Reasoning:`, if an answer or a heading does."""
    if not _PREAMBLE.match(text):
        return text
    answer = _ANSWER.search(text, text.find("\n") + 1 if "\n" in text else len(text))
    return (text[answer.end() :].strip() if answer else "") or text
