"""What kind of source a page is, from its address first and from its text where that is silent."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from intelli.records import Page, SourceType

Rule = tuple[SourceType, re.Pattern[str]]

_HEAD = 6_000


def _hosts(*names: str) -> re.Pattern[str]:
    return re.compile(r"(?:^|\.)(?:" + "|".join(map(re.escape, names)) + ")$")


_FORUMS = _hosts(
    "stackoverflow.com", "stackexchange.com", "serverfault.com", "superuser.com", "askubuntu.com",
    "mathoverflow.net", "reddit.com", "news.ycombinator.com", "lobste.rs", "quora.com", "v2ex.com",
    "segmentfault.com", "groups.google.com", "tildes.net", "discourse.org", "gitter.im",
    "bbs.archlinux.org", "lists.debian.org", "mail.python.org", "lkml.org", "kaggle.com",
)  # fmt: skip
_BLOGS = _hosts(
    "medium.com", "dev.to", "hashnode.dev", "hashnode.com", "substack.com", "wordpress.com",
    "blogspot.com", "ghost.io", "hackernoon.com", "csdn.net", "juejin.cn", "cnblogs.com",
    "jianshu.com", "habr.com", "qiita.com", "zenn.dev", "tumblr.com", "bearblog.dev", "dzone.com",
    "towardsdatascience.com", "infoq.com", "logrocket.com", "lwn.net", "simonwillison.net",
    "thenewstack.io", "hackaday.com", "martinfowler.com",
)  # fmt: skip
_TUTORIALS = _hosts(
    "realpython.com", "geeksforgeeks.org", "w3schools.com", "tutorialspoint.com", "baeldung.com",
    "freecodecamp.org", "digitalocean.com", "programiz.com", "javatpoint.com", "codecademy.com",
    "css-tricks.com", "learnpython.org", "runoob.com", "khanacademy.org", "tutorialsteacher.com",
    "sitepoint.com", "learncpp.com", "gobyexample.com", "linuxize.com", "howtogeek.com",
)  # fmt: skip
_REFERENCES = _hosts(
    "wikipedia.org", "wikibooks.org", "wiktionary.org", "docs.rs", "pkg.go.dev", "cppreference.com",
    "developer.mozilla.org", "man7.org", "man.archlinux.org", "linux.die.net", "rfc-editor.org",
    "datatracker.ietf.org", "tools.ietf.org", "w3.org", "whatwg.org", "ecma-international.org",
    "hexdocs.pm", "javadoc.io", "caniuse.com",
    "britannica.com", "nist.gov", "devdocs.io", "unicode.org", "peps.python.org",
    "mathworld.wolfram.com",
)  # fmt: skip
_PAPERS = _hosts(
    "arxiv.org", "doi.org", "openreview.net", "aclanthology.org", "biorxiv.org", "medrxiv.org",
    "pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "semanticscholar.org", "nature.com",
    "science.org", "sciencedirect.com", "link.springer.com", "dl.acm.org", "ieeexplore.ieee.org",
    "jmlr.org", "proceedings.mlr.press", "papers.nips.cc", "ssrn.com", "plos.org", "usenix.org",
    "hal.science", "researchgate.net", "europepmc.org", "mdpi.com", "frontiersin.org",
)  # fmt: skip
_DOCS = _hosts(
    "readthedocs.io", "readthedocs.org", "learn.microsoft.com", "gitbook.io", "mintlify.app",
    "pages.dev", "github.io", "gitlab.io", "sqlite.org", "kernel.org", "nodejs.org", "go.dev",
)  # fmt: skip

_BY_HOST: tuple[Rule, ...] = (
    ("forum", _FORUMS),
    ("paper", _PAPERS),
    ("reference", _REFERENCES),
    ("official-docs", re.compile(r"^(?:docs?|documentation|developers?|manual)\.[^.]+\.")),
    ("tutorial", _TUTORIALS),
    ("blog", _BLOGS),
    ("forum", re.compile(r"^(?:forums?|discuss\w*|community|answers|ask|bbs|lists)\.")),
    ("blog", re.compile(r"^(?:[\w-]*blogs?|engineering|weblog)\.")),
    ("official-docs", re.compile(r"^(?:dev|devdocs|api|help|support|wiki|kb|guides?)\.[^.]+\.")),
    ("official-docs", _DOCS),
)
_CODE_HOSTS = frozenset({
    "github.com", "gist.github.com", "raw.githubusercontent.com", "gitlab.com", "codeberg.org",
    "bitbucket.org", "git.sr.ht",
})  # fmt: skip
_BY_PATH: tuple[Rule, ...] = (
    ("forum", re.compile(
        r"/(?:forums?|questions/\d+|discussions?|threads?|viewtopic|t/[\w-]+/\d+)\b"
    )),
    ("paper", re.compile(r"^/pmc/articles/|/(?:abs|papers?)/[\w.]+")),
    ("blog", re.compile(r"/(?:blogs?|posts?|weblog|articles?)(?:/|$)|/(?:19|20)\d\d/[01]?\d/")),
    ("reference", re.compile(
        r"^/(?:package|project|crates|gems)/[^/]+|/(?:apis?|apidocs?|api[-_]reference|references?|javadoc|man\d?|spec|rfc\d*)(?:/|[.\d]|$)"
    )),
)  # fmt: skip
_DOC_PATH = re.compile(
    r"/(?:docs?|documentation|manual|handbook|guides?|user[-_]guide|help|book|learn|wiki)(?:/|$)"
    r"|/(?:readme|changelog|contributing|install\w*|usage)(?:\.\w+)?$"
)
_HELP_ARTICLE = re.compile(r"/articles?(?:/|$)")
_TUTORIAL_PATH = re.compile(
    r"/(?:tutorials?|how[-_]?tos?|getting[-_]started|quick[-_]?start|walkthroughs?|courses?|lessons?)"
)
_FORUM_PATH = re.compile(
    r"^/[^/]+/[^/]+/(?:-/)?(?:issues|discussions|pulls?|merge_requests)(?:/|$)"
)
_PROSE_FILE = re.compile(r"\.(?:md|markdown|mdx|rst|adoc|txt)$")
_LOCAL_NAMES: tuple[Rule, ...] = (
    ("forum", re.compile(r"(?:^|/|[-_.])(?:forums?|mailing[-_]?lists?)(?:[-_./]|$)")),
    ("blog", re.compile(r"(?:^|/|[-_.])(?:blogs?|weblog)(?:[-_./]|$)")),
    ("paper", re.compile(r"(?:^|/|[-_.])(?:papers?|preprints?|arxiv)(?:[-_./]|$)")),
)  # fmt: skip
_LOCAL_TEXTS = ("paper", "forum", "blog")
_LOCAL_PARTS = 2
"""The name of a file and of its folder may say what it is; those further up say whose it is."""

_SOURCE_FILE = re.compile(
    r"\.(?:py|pyi|js|mjs|jsx|tsx?|go|rs|c|h|cc|cpp|hpp|java|kt|swift|rb|php|cs|scala|lua|sh|sql|zig)$"
)

_BY_TEXT: tuple[Rule, ...] = (
    ("paper", re.compile(
        r"(?im)^[^\w\n]*abstract\b(?=[^\0]{0,6000}(?:\bdoi\b|\bintroduction\b|\barxiv\b|et al\.))"
    )),
    ("forum", re.compile(
        r"(?im)^[^\w\n]*(?:(?:accepted|best) answer|\d+ (?:answers|replies|votes)|asked \d)\b"
    )),
    ("tutorial", re.compile(
        r"(?i)\b(?:in this (?:tutorial|lesson|course)|this tutorial|by the end of this)\b"
    )),
    ("blog", re.compile(
        r"(?im)\b\d+\s*min(?:ute)?s? read\b|^[^\w\n]*(?:posted|published|written) (?:on|by)\b"
        r"|\bin this (?:blog )?post\b|\bsubscribe to (?:my|our) newsletter\b"
    )),
    ("reference", re.compile(
        r"(?im)^#{1,6}\s*\**(?:parameters|arguments|return(?:s| value)|synopsis|signature)[^\w\n]*$"
    )),
    ("official-docs", re.compile(
        r"(?im)^#{1,6}\s*(?:installation|configuration|quick ?start|usage)[^\w\n]*$"
    )),
)  # fmt: skip


def source_type(page: Page) -> SourceType:
    """The kind of source, by address (final URL) and, where that says nothing, by its wording.

    Falls back to `other`; a file given by the user to `official-docs`, whatever its format, unless
    it is source code or its name or wording says blog, forum or paper. An official tutorial is
    `official-docs`: whose page it is weighs more than how it is written; a reference page of
    official documentation is `reference`.
    """
    parts = urlsplit(page.final_url or page.link.url)
    host = (parts.hostname or "").removeprefix("www.")
    path = parts.path.lower()
    if parts.scheme == "file":
        return _of_file(path, page)
    return (
        _by_address(host, path) or _first(_BY_TEXT, f"{page.title}\n{page.text[:_HEAD]}") or "other"
    )


def _of_file(path: str, page: Page) -> SourceType:
    if _SOURCE_FILE.search(path):
        return "code"
    near = "/".join(path.rsplit("/", _LOCAL_PARTS)[1:])
    named = _first(_LOCAL_NAMES, near)
    if named:
        return named
    rules = tuple(rule for rule in _BY_TEXT if rule[0] in _LOCAL_TEXTS)
    return _first(rules, f"{page.title}\n{page.text[:_HEAD]}") or "official-docs"


def _by_address(host: str, path: str) -> SourceType | None:
    if host in _CODE_HOSTS:
        return _of_repository(path)
    by_host, by_path = _first(_BY_HOST, host), _first(_BY_PATH, path)
    if by_host == "official-docs":
        return by_path if by_path and not _HELP_ARTICLE.search(path) else by_host
    if by_host or by_path:
        return by_host or by_path
    if _SOURCE_FILE.search(path):
        return "code"
    if _DOC_PATH.search(path):
        return "official-docs"
    return "tutorial" if _TUTORIAL_PATH.search(path) else None


def _of_repository(path: str) -> SourceType:
    """A project speaks through its README and releases; its issues are a forum."""
    if _FORUM_PATH.search(path):
        return "forum"
    segments = [segment for segment in path.split("/") if segment]
    if (
        len(segments) <= 2
        or _PROSE_FILE.search(path)
        or "wiki" in segments
        or "releases" in segments
    ):
        return "official-docs"
    return "code"


def _first(rules: tuple[Rule, ...], text: str) -> SourceType | None:
    return next((kind for kind, pattern in rules if pattern.search(text)), None)
