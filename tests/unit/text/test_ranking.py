"""Index terms and BM25."""

from __future__ import annotations

import pytest

from intelli.text.ranking import BM25, query_terms, stem, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("maxChars", ["maxchars", "max", "char"]),
        ("max_chars", ["max_chars", "max", "char"]),
        ("os.path", ["os.path", "os", "path"]),
        ("HTTPServer2", ["httpserver2", "http", "server2"]),
        ("3.11", ["3.11", "11"]),
        ("C++ C# c", ["c++", "c#", "c"]),
        ("--dry-run", ["dry", "run"]),
        ("Straße ÜBER naïve", ["strass", "uber", "naiv"]),
        ("ﬁles ２０２６", ["fil", "2026"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("水", ["水"]),
        ("한국어", ["한국", "국어"]),
        ("Python入門", ["python", "入門"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),
        ("end. Start, (x)!", ["end", "start", "x"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_accents_and_composition_do_not_matter() -> None:
    assert tokens("café") == tokens("cafe\u0301") == tokens("CAFE")


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "use uses used using",
        "install installs installed installing installation",
        "configure configures configured configuring configuration",
        "query queries",
        "run runs running",
        "box boxes",
        "migrate migrates migrated migrating migration",
        "авиация авиации авиацию",
    ],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize("word", ["status", "process", "string", "thing", "red", "analysis"])
def test_words_that_only_look_inflected_stay(word: str) -> None:
    assert stem(word) == word


def test_a_question_keeps_its_content_words() -> None:
    assert query_terms("What is the default port of the daemon?") == ["default", "port", "daemon"]
    assert query_terms("to be or not to be")
    assert query_terms("who are you") == tokens("who are you")


def test_data_in_one_long_run_is_one_term() -> None:
    assert len(tokens("aB3" * 2000)) == 1


def test_rare_terms_and_short_documents_score_higher() -> None:
    texts = ["the pump pump runs", "the valve", "the valve and very many other words beside it"]
    ranker = BM25([tokens(text) for text in texts])
    by_pump, by_valve = ranker.scores(tokens("pump")), ranker.scores(tokens("valve"))
    assert by_pump[0] > 0 and by_pump[1:] == [0.0, 0.0]
    assert by_valve[1] > by_valve[2] > by_valve[0] == 0.0
    assert by_pump[0] > by_valve[1]


def test_nothing_to_rank_gives_nothing() -> None:
    assert BM25([]).scores(["a"]) == []
    assert BM25([[], []]).scores(["a"]) == [0.0, 0.0]
    assert BM25([["a"]]).scores([]) == [0.0]
