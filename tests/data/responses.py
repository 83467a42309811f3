"""Responses as servers send them, each filed under what a careful reader would call it.

`judged/<verdict>.txt` holds cases one after the other: a line `=== name`, lines `header: value`
(`status` and `url` among them), a blank line and the body, in which `{prose 3}`, `{navigation}`,
`{footer}` and `{script}` stand for what ordinary sites put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PAGE = "https://pumps.example/guide/seals"
DIRECTORY = Path(__file__).parent / "judged"
_CASE = re.compile(r"^=== (.+)\n((?:[\w-]+: .*\n)*)\n", re.M)
_PART = re.compile(r"\{(navigation|footer|script|prose (\d+)(?: from (\d+))?)\}")
_SENTENCES = (
    "The pump moves twelve litres a minute at a pressure of three bar, measured at the outlet.",
    "Its valve opens at four bar and closes again at three and a half, which is called hysteresis.",
    "Replace the seal after nine hundred hours of work, or at the first drop under the housing.",
    "Never run it dry, because the bearing is cooled by the water that flows around its shaft.",
    "A worn impeller sounds like gravel and loses a third of its pressure within one season.",
    "The motor is rated for continuous work up to forty degrees, and for half of that above it.",
    "Spare parts are numbered by the size of the housing, then by the year in which it was cast.",
    "Close the inlet before you open the lid, and let the pressure fall through the small screw.",
)
_LINKS = (
    "Products", "Spare parts", "Manuals", "Service", "Where to buy", "About us", "Careers", "Press",
    "Contact", "Dealers", "Training", "Returns",
)  # fmt: skip
_SITE = {
    "navigation": "<header><a href='/'>Pumps</a><nav><ul>"
    + "".join(f"<li><a href='/{name.lower().replace(' ', '-')}'>{name}</a></li>" for name in _LINKS)
    + "</ul></nav></header>",
    "footer": "<footer><p>Pumps Ltd, 4 Quay Street, Harwich. Registered in England.</p>"
    "<a href='/imprint'>Imprint</a> <a href='/privacy'>Privacy</a> <a href='/terms'>Terms</a>"
    "</footer>",
    "script": "<script>"
    + "window.__q=window.__q||[];__q.push(['set',{a:1,b:'pump'}]);" * 60
    + "</script>",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One response: `label` is the verdict it deserves."""

    label: str
    name: str
    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    url: str = PAGE


def cases() -> list[Case]:
    """All of them, by label."""
    return [case for path in sorted(DIRECTORY.glob("*.txt")) for case in _read(path.stem, path)]


def _read(label: str, path: Path) -> Iterator[Case]:
    text = path.read_text(encoding="utf-8")
    heads = [*_CASE.finditer(text)]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        headers = dict(line.split(": ", 1) for line in head[2].splitlines())
        headers = {"content-type": "text/html; charset=utf-8", **headers}
        status, url = headers.pop("status", "200"), headers.pop("url", PAGE)
        body = _PART.sub(_filled, text[head.end() : end].strip("\n"))
        yield Case(
            label=label, name=head[1], body=body, status=int(status), headers=headers, url=url
        )


def _filled(part: re.Match[str]) -> str:
    if not part[2]:
        return _SITE[part[1]]
    first = int(part[3] or 0)
    paragraphs = (
        " ".join(_SENTENCES[(first + 3 * n + k) % 8] for k in range(3)) for n in range(int(part[2]))
    )
    return "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
