"""What conflicting sentences are about: whether it is one thing, what to call it, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from intelli.collate.claims import without_marks
from intelli.collate.lexicon import NEGATIONS
from intelli.collate.quoting import paragraphs
from intelli.collate.rivals import Sentence, same_passage
from intelli.collate.sentences import whole_sentences
from intelli.collate.words import words_of
from intelli.records import ConflictKind, Query, Source
from intelli.text.asking import Asked, asked
from intelli.text.folding import fold
from intelli.text.ranking import tokens

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\([^()\s]*\)")
_MARKER = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_CLOSED_QUESTION = re.compile(
    r"\W*(?:does|do|did|is|are|was|were|can|could|will|should|has|have)\b", re.IGNORECASE
)
_CONDITION = re.compile(r"\W*(?:if|when|unless|whether|until|before|while)\b|.*\?\W*$", re.I | re.S)
_CLAUSE = re.compile(r"[^,;]+(?=[,;] )")
_SPOKEN = re.compile(r"[\w']+")
_HEAD_WORDS = 6
_LEADS_IN = frozenset({"by", "per", "without"})
_TOPIC_WORDS = 7
_ROW_LINKS = 2
_MOSTLY = 0.6
_MANY_FIGURES = 2


def is_row(text: str) -> bool:
    """A row of a table or of a list of links, which states nothing by itself."""
    labels = _LINK.findall(text)
    linked = sum(map(len, labels))
    bare = _LINK.sub("", text)
    return (
        text.lstrip().startswith("|")
        or (len(labels) >= _ROW_LINKS and linked >= len(bare.strip(" -*+,;|")))
        or linked > _MOSTLY * (linked + len(bare))
    )


def apart(a: Sentence, b: Sentence, question: Asked) -> bool:
    """Whether two pages may contradict each other: those of different sites, or of different
    parts of one (documentation and blog) with titles of their own, where both sentences hold what
    the question names. On a loopback address every part may be a site of its own."""
    if a.source.n == b.source.n:
        return False
    if _site(a.source) != _site(b.source):
        return True
    if not _title(a.source) or _title(a.source) == _title(b.source):
        return False
    kinds = {each.source.extract.source_type for each in (a, b) if each.source.extract}
    parts = _part(a.source) != _part(b.source) and (len(kinds) > 1 or _is_loopback(a.source))
    named = all(question.strong <= frozenset(tokens(each.text)) for each in (a, b))
    return parts and named and len(question.strong) > 1


def _url(source: Source) -> str:
    return source.page.final_url if source.page else source.link.url


def _site(source: Source) -> str:
    url = _url(source)
    return (urlsplit(url).netloc or url).removeprefix("www.")


def _part(source: Source) -> str:
    return urlsplit(_url(source)).path.strip("/").partition("/")[0]


def _is_loopback(source: Source) -> bool:
    host = urlsplit(_url(source)).hostname or ""
    return host == "localhost" or host.startswith("127.")


def _title(source: Source) -> str:
    return " ".join((source.page.title if source.page else "").casefold().split())


def same_thing(a: Sentence, b: Sentence, kind: ConflictKind, question: Asked) -> bool:
    """False for two of a kind: pages whose titles differ in a number only, sentences of which one
    names the figure asked for and the other does not, or that differ in two figures or more."""
    ours, theirs = _title(a.source), _title(b.source)
    if ours != theirs and _NUMBER.sub("#", ours) == _NUMBER.sub("#", theirs):
        return False
    exact = frozenset(term for term in question.exact if term[0].isdigit())
    if exact and len({_holds(each, exact) for each in (a, b)}) > 1:
        return False
    if kind == "date" or same_passage(a, b):
        return True
    numbers = [_NUMBER.findall(each.text) for each in (a, b)]
    if len(numbers[0]) != len(numbers[1]) or len(numbers[0]) < _MANY_FIGURES:
        return True
    differing = [x for x, y in zip(*numbers, strict=True) if x != y]
    return len(differing) < _MANY_FIGURES


def _holds(sentence: Sentence, exact: frozenset[str]) -> bool:
    return exact <= frozenset(tokens(f"{_title(sentence.source)} {sentence.text}"))


def statement(sentence: Sentence) -> str:
    """The sentence for a reader: whole, without marks, markers of lists and targets of links."""
    page = sentence.source.page
    text = whole_sentences(sentence.text, page.text) if page else sentence.text
    text = without_marks(_MARKER.sub("", text))
    return " ".join(" ".join(paragraphs(text)).split()) or sentence.text


def subject(a: Sentence, b: Sentence, topic: frozenset[str]) -> str:
    """The longest run of words of the first that the second has too, the words of the question
    counting double; no figure in it, no function word at its ends."""
    shared = a.content & b.content

    def weight(run: tuple[int, int]) -> int:
        keys = [key for key in a.words.keys[run[0] : run[1]] if key in shared]
        return len(keys) + sum(key in topic for key in keys)

    runs = list(_runs(a, frozenset(b.words.keys), shared))
    first, last = max(runs, key=weight, default=(0, 0))
    if first == last:
        return ""
    text = a.words.folded.text
    first -= bool(first) and a.words.keys[first - 1] in _LEADS_IN
    start, end = a.words.span(first, last - 1)
    while end < len(text) and text[end].isalnum():
        end += 1
    return " ".join(text[start:end].split())


def _runs(a: Sentence, others: frozenset[str], shared: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Positions in `a`, the end excluded, of runs of words that begin and end with a shared one."""
    keys = a.words.keys
    first = 0
    while first < len(keys):
        if keys[first] not in shared:
            first += 1
            continue
        stop, last = first, first
        while stop < min(len(keys), first + _TOPIC_WORDS) and keys[stop] in others:
            if keys[stop][0].isdigit():
                break
            last = stop if keys[stop] in shared else last
            stop += 1
        yield first, last + 1
        first = last + 1


def answers(query: Query, sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences that say yes and those that say no to a question to be answered so: they hold
    every word of it that carries meaning, and set no condition."""
    question = asked(query.text)
    wanted = question.strong | question.weak
    if not _CLOSED_QUESTION.match(query.text) or len(question.strong) <= 1:
        return [], []
    sides: tuple[list[Sentence], list[Sentence]] = ([], [])
    for each in sentences:
        if wanted <= frozenset(tokens(each.text)) and not _CONDITION.match(each.text):
            sides[_denies(each, question)].append(each)
    return sides


def _denies(sentence: Sentence, question: Asked) -> bool:
    """Whether a negation stands before the last of the words asked for."""
    words = _SPOKEN.findall(sentence.text.replace("’", "'"))
    places = [n for n, word in enumerate(words) if question.strong.intersection(tokens(word))]
    before = [word.lower() for word in words[: places[-1] if places else len(words)]]
    return any(word in NEGATIONS or word.endswith("n't") for word in before)


def heads(a: Sentence, b: Sentence, question: Asked) -> tuple[Sentence, Sentence] | None:
    """Both sentences up to their first comma, where that leaves a statement; what the question
    names is context enough where both sentences name all of it. None when nothing changes."""
    named = len(question.strong) > 1 and all(
        question.strong <= frozenset(tokens(each.text)) for each in (a, b)
    )
    first, second = _head(a), _head(b)
    if named:
        first, second = (
            Sentence(each.source, each.text, each.words, question.strong)
            for each in (first, second)
        )
    return None if first is a and second is b else (first, second)


def _head(sentence: Sentence) -> Sentence:
    head = _CLAUSE.match(sentence.text)
    if head is None or len(head[0].split()) < _HEAD_WORDS or not _NUMBER.search(head[0]):
        return sentence
    return Sentence(sentence.source, sentence.text, words_of(fold(head[0])), sentence.context)
