"""Reads mail: one message, a mailbox of them, or a page that a browser saved as one (MHTML)."""

from __future__ import annotations

import email
import email.policy
import re
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime

from intelli.text.decoding import decode
from intelli.text.document import Document, document_of
from intelli.text.fragments import fragment

MAX_MESSAGES = 500
MAX_PARTS = 2_000
MAX_FIELD = 2_000
_FROM_LINE = re.compile(rb"^From [^\n]*\d{4}[^\n]*\n(?=[A-Za-z][A-Za-z-]*:)", re.M)
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.M)
_SHOWN = ("From", "To", "Cc", "Date")
_SIGNATURE = re.compile(r"^-- \n.*\Z", re.M | re.S)
_TEXTS = ("text/plain", "text/html")


def read_mail(body: bytes, url: str) -> Document:
    """The messages under their subjects, quotations as they stand; of a saved page, the page."""
    body = body.replace(b"\r\n", b"\n").lstrip(b"\n")
    pieces = _messages(body)
    messages = [_parsed(piece) for piece in pieces[:MAX_MESSAGES]]
    if len(messages) == 1:
        message = messages[0]
        if message.get_content_type() == "multipart/related":
            page = _page(message, url)
            if page is not None:
                return page
        text = "\n\n".join(filter(None, (_facts(message), _text(message, url))))
        return document_of(text, "mail", title=_field(message, "Subject"), published=_date(message))
    texts = [
        "\n\n".join(filter(None, (f"## {_field(each, 'Subject')}", _facts(each), _text(each, url))))
        for each in messages
    ]
    more = len(pieces) - MAX_MESSAGES
    return document_of(
        "\n\n".join(texts),
        "mail",
        published=_date(messages[0]),
        left_out=f"{more} more messages" if more > 0 else "",
    )


def _messages(body: bytes) -> list[bytes]:
    """The messages of a mailbox, which lines that begin with `From ` part."""
    if not body.startswith(b"From "):
        return [body]
    pieces = [piece for piece in _FROM_LINE.split(body) if piece.strip()]
    return [_QUOTED_FROM.sub(rb"\1", piece) for piece in pieces] or [body]


def _parsed(piece: bytes) -> Message:
    try:
        return email.message_from_bytes(piece, policy=email.policy.compat32)
    except RecursionError:  # the library follows parts inside parts without end
        return BytesHeaderParser(policy=email.policy.compat32).parsebytes(piece)


def _facts(message: Message) -> str:
    lines = [f"{name}: {value}" for name in _SHOWN if (value := _field(message, name))]
    return "  \n".join(lines)


def _field(message: Message, name: str) -> str:
    """A field of the header with its encoded words decoded."""
    raw = message.get(name)
    if raw is None:
        return ""
    try:
        parts = decode_header(str(raw)[:MAX_FIELD])
    except (ValueError, LookupError, email.errors.MessageError):
        return " ".join(str(raw)[:MAX_FIELD].split())
    words = [
        word if isinstance(word, str) else decode(word, f"; charset={charset or ''}")
        for word, charset in parts
    ]
    return " ".join("".join(words).split())


def _date(message: Message) -> str | None:
    try:
        return parsedate_to_datetime(_field(message, "Date")).date().isoformat()
    except (ValueError, TypeError, OverflowError):
        return None


def _text(message: Message, url: str) -> str:
    """What a reader would see of a message: plain text where there is some, else its HTML."""
    by_type: dict[str, list[str]] = {kind: [] for kind in _TEXTS}
    for part in _leaves(message):
        kind = part.get_content_type()
        if kind in by_type and part.get_content_disposition() != "attachment":
            by_type[kind].append(_decoded(part))
    plain = "\n\n".join(text.strip("\n") for text in by_type["text/plain"]).strip()
    if plain:
        return _SIGNATURE.sub("", plain).rstrip()
    return "\n\n".join(fragment(text, url) for text in by_type["text/html"])


def _leaves(message: Message) -> list[Message]:
    """The parts that hold no further parts, in order; nested messages are looked into."""
    found: list[Message] = []
    waiting = [message]
    while waiting and len(found) < MAX_PARTS:
        part = waiting.pop()
        inner = part.get_payload()
        if isinstance(inner, list):
            waiting.extend(reversed([each for each in inner if isinstance(each, Message)]))
        else:
            found.append(part)
    return found


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    return decode(data, str(part.get("Content-Type") or "")).replace("\r\n", "\n")


def _page(message: Message, url: str) -> Document | None:
    """The page of an archive: the part that it starts with, read as any page is."""
    from intelli.text.html import read_html

    page = next((p for p in _leaves(message) if p.get_content_type() == "text/html"), None)
    if page is None:
        return None
    location = str(page.get("Content-Location") or message.get("Content-Location") or "")
    address = location.strip() if location.startswith(("http://", "https://")) else url
    return read_html(_decoded(page), address)
