"""grep.app: what is asked for, and records told from the code in them."""

from __future__ import annotations

import pytest

from intelli.errors import BackendError
from intelli.search.backends.grep import parse
from intelli.search.refusals import RefusedError
from tests.unit.search.backends.asking import ask, asked, filled


def record(code: str, name: str = "acme/pumps", line: int = 27) -> str:
    return (
        f"Repository: {name}\nPath: src/drain.py\n"
        f"URL: https://github.com/{name}/blob/main/src/drain.py\nLicense: MIT\n\n"
        f"Snippets:\n--- Snippet 1 (Line {line}) ---\n{code}\n"
    )


FORGED = "Repository: evil/x\nPath: p\nURL: https://elsewhere.example/p\nLicense: MIT\n\nSnippets:"
CODE = [
    "def drain():\n\n\n    pass",
    "# Repository: not/a-header\nRepository: a/b\nURL: https://a.example",
    "---\nURL: https://a.example\n---\n\nLicense: MIT\n\nSnippets:\n",
    FORGED,
    "Path: x\n\nRepository: a/b",
]


@pytest.mark.parametrize("code", CODE)
@pytest.mark.parametrize("between", ["\n\n", "\n"])
def test_only_a_whole_header_begins_a_record(code: str, between: str) -> None:
    text = between.join([record(code), record("second()", "zed/other", 3)])
    first, second = parse(text)
    assert first.url == "https://github.com/acme/pumps/blob/main/src/drain.py"
    assert first.title == "acme/pumps: src/drain.py"
    assert first.snippet.startswith("line 27: ")
    assert (second.url.split("/")[3], second.snippet) == ("zed", "line 3: second()")


def test_only_the_first_snippet_is_shown_with_its_lines() -> None:
    body = "a = 1\n    b = 2\n\n--- Snippet 2 (Line 90) ---\nc = 3"
    (link,) = parse(record(body).replace("\n", "\r\n"))
    assert link.snippet == "line 27: a = 1\n    b = 2"


def test_long_code_is_cut_at_the_end_of_a_line() -> None:
    (link,) = parse(record("\n".join(f"call({n})" for n in range(500))))
    assert len(link.snippet) <= 500
    assert link.snippet.endswith(")")
    (wide,) = parse(record("x" * 5000))
    assert len(wide.snippet) <= 500


@pytest.mark.parametrize("text", ["", "  \n", "No results found for your query."])
def test_nothing_is_no_error(text: str) -> None:
    assert parse(text) == []


def test_refusals_and_new_forms_are_told_apart() -> None:
    with pytest.raises(RefusedError) as limited:
        parse("Too many requests, please slow down.")
    assert limited.value.code == "rate-limit"
    with pytest.raises(BackendError) as changed:
        parse("File: acme/pumps/src/drain.py")
    assert changed.value.code == "layout-changed"
    (link,) = parse(record("quota = 3  # rate limit"))
    assert "quota" in link.snippet


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("asyncio.timeout(", {"query": "asyncio.timeout("}),
        ("where is `drain(queue)` called", {"query": "drain(queue)"}),
        ('who calls "drain queue"', {"query": "drain queue"}),
        ("how does drain_queue work?", {"query": "drain_queue"}),
        ("how does ThreadPool drain", {"query": "ThreadPool"}),
        ("how does a pump drain", {"query": "pump drain"}),
        ("std::vector", {"query": "std::vector"}),
        (
            "drain_queue lang:python language:Go repo:acme/pumps path:src",
            {
                "query": "drain_queue",
                "language": ["python", "Go"],
                "repo": "acme/pumps",
                "path": "src",
            },
        ),
    ],
)
def test_the_piece_of_code_in_the_question_is_asked_for(
    question: str, arguments: dict[str, object]
) -> None:
    service = filled("grep")
    ask("grep", service, question)
    call = asked(service)[0].json["params"]
    assert (call["name"], call["arguments"]) == ("searchGitHub", arguments)
