"""What pages are made of: articles, Markdown, a PDF, and bodies that are not the page at all."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"

Fault = Literal[
    "", "hang", "stall", "drip", "endless", "bomb", "short", "reset", "reset-midway", "no-length"
]
"""How an answer goes wrong: `hang` says nothing, `stall` stops half way, `drip` sends a few bytes
every `step` seconds, `endless` never stops, `bomb` is gzip that swells, `short` promises more than
it sends, `reset` breaks the connection, `no-length` ends by closing (which is legal)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer of a site: `delay` seconds before the first byte, `body` as it is on the wire
    unless `gzip` is set, `twin` the Markdown sent to those who accept it."""

    body: bytes = b""
    content_type: str = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    gzip: bool = False
    fault: Fault = ""
    step: float = 0.05
    twin: str | None = None


def article(
    title: str,
    paragraphs: Sequence[str],
    *,
    head: str = "",
    charset: str = "utf-8",
    **behaviour: object,
) -> Page:
    """A page with navigation, the paragraphs and a footer; `behaviour` as in Page."""
    body = "".join(f"<p>{html.escape(text)}</p>\n" for text in paragraphs)
    document = f"""<!doctype html>
<html lang="en"><head><meta charset="{charset}"><title>{html.escape(title)}</title>{head}</head>
<body><nav><a href="/">Start</a> <a href="/all">All pages</a> <a href="/about">About</a></nav>
<main><article><h1>{html.escape(title)}</h1>
{body}</article></main>
<footer><a href="/imprint">Imprint</a> All rights reserved.</footer></body></html>"""
    fields = {"content_type": f"text/html; charset={charset}", **behaviour}
    return Page(body=document.encode(charset), **fields)  # type: ignore[arg-type]


def markdown(title: str, paragraphs: Sequence[str]) -> str:
    return "\n\n".join([f"# {title}", *paragraphs]) + "\n"


def plain(text: str, **behaviour: object) -> Page:
    """A page that is text/plain in UTF-8."""
    fields = {"content_type": "text/plain; charset=utf-8", **behaviour}
    return Page(body=text.encode(), **fields)  # type: ignore[arg-type]


def redirect(to: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": to}, body=b"")


def limited(retry_after: str | None = None) -> Page:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return Page(status=429, headers=headers, body=b"<title>Slow down</title><p>Too many requests.")


def challenge(status: int = 403) -> Page:
    """What a bot shield sends instead of the page."""
    body = b"""<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"></head><body><div class="main-wrapper">
<h1>the site</h1><p>Checking that you are a person before you may go on.</p>
<noscript><p>Enable JavaScript and cookies to continue</p></noscript></div>
<script>window._cf_chl_opt={cType:'managed',cRay:'8d1'};var u='/path?__cf_chl_f_tk=abc123';</script>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8d1"></script>
</body></html>"""
    return Page(
        status=status, headers={"Server": "cloudflare", "cf-mitigated": "challenge"}, body=body
    )


def login() -> Page:
    body = b"""<!doctype html><title>Sign in</title><main><h1>Sign in to continue</h1>
<form method="post" action="/session"><label>E-mail <input type="email" name="user"></label>
<label>Password <input type="password" name="secret"></label><button>Sign in</button></form>
</main>"""
    return Page(body=body)


def missing() -> Page:
    return Page(status=404, body=b"<!doctype html><title>Not found</title><h1>Not found</h1>")


def soft_404() -> Page:
    """A page that does not exist, served with 200."""
    return article("Page not found", ["Sorry, the page you are looking for does not exist."])


def pdf(lines: Sequence[str], **behaviour: object) -> Page:
    """A one-page PDF with a text layer: a line of text for each of `lines` (ASCII)."""
    fields = {"content_type": "application/pdf", **behaviour}
    return Page(body=pdf_bytes(lines), **fields)  # type: ignore[arg-type]


def pdf_bytes(lines: Sequence[str]) -> bytes:
    drawn = "".join(f"0 -16 Td ({_escape(line)}) Tj\n" for line in lines)
    content = f"BT /F1 11 Tf 56 780 Td\n{drawn}ET".encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )
    return bytes(out)


def _escape(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
