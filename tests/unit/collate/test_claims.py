"""Splitting a text into claims: what is one, where it stands, which marks it bears."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.collate.claims import Statement, parse_marks, split_claims

REPORT = """# Lantern batteries

The pack holds nine cells. Each weighs 48 g [1]. It charges in 3 h [2, 3].

- **Care**: keep it dry [1]. Do not freeze it.
- Shelf life is two years
  at room temperature [2][4]
    - nested: see e.g. chapter 4 [5]

| Model | Cells |
| --- | --- |
| A | 9 [1] |
| B | 12 [2] |

Run this [3]:

```sh
lantern --charge cells[1]
```

---

## Sources

1. [Lantern guide](https://lantern.example/guide)
2. Another page
"""


def claims(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.text, each.marks) for each in split_claims(text)]


def test_a_report_is_split_into_its_statements() -> None:
    assert claims(REPORT) == [
        ("The pack holds nine cells.", (2, 3)),
        ("Each weighs 48 g [1].", (1,)),
        ("It charges in 3 h [2, 3].", (2, 3)),
        ("**Care**: keep it dry [1].", (1,)),
        ("Do not freeze it.", ()),
        ("Shelf life is two years\n  at room temperature [2][4]", (2, 4)),
        ("nested: see e.g. chapter 4 [5]", (5,)),
        ("| A | 9 [1] |", (1,)),
        ("| B | 12 [2] |", (2,)),
        ("Run this [3]:", (3,)),
        ("lantern --charge cells[1]", (3,)),
    ]


def test_items_are_numbered_without_gaps_and_offsets_name_the_text() -> None:
    found = split_claims(REPORT)
    assert [each.item for each in found] == [1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8]
    assert all(REPORT[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("x [1]", (1,)),
        ("x [2, 3]", (2, 3)),
        ("x [1][2] [3]", (1, 2, 3)),
        ("x [1-3]", (1, 2, 3)),
        ("x [4–6, 9]", (4, 5, 6, 9)),
        ("x [1 and 2]", (1, 2)),
        ("x 【3】", (3,)),
        ("x[^1][^12].", (1, 12)),
        ("x [Source 1][2]", (1, 2)),
        ("x [Sources 1, 2] [source: 4]", (1, 2, 4)),
        ("x [resource 1] [S3] [Amazon S3] [^a]", ()),
        ("x `a[1]` b", ()),
        ("x [1](https://e.example)", ()),
        ("x [docs][1]", ()),
        ("x [2024]", ()),
        ("in the range [0, 1]", ()),
        ("argv[0] is the name", ()),
        ("x [1-999]", tuple(range(1, 65))),
    ],
)
def test_marks_are_read_and_look_alikes_are_not(text: str, marks: tuple[int, ...]) -> None:
    assert parse_marks(text) == marks


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Ito came. He left.", ["Dr. Ito came.", "He left."]),
        ("See v1.2.3 e.g. here. Done!", ["See v1.2.3 e.g. here.", "Done!"]),
        ("In the U.S. Navy it is so. It holds.", ["In the U.S. Navy it is so.", "It holds."]),
        ("One. [1] Two.[2] Three.", ["One. [1]", "Two.[2]", "Three."]),
        ("One. [2] says two.", ["One.", "[2] says two."]),
        ("Call `a. B` now. Then wait.", ["Call `a. B` now.", "Then wait."]),
        ("これは一つ。これは二つ。", ["これは一つ。", "これは二つ。"]),
        ('He said "Stop." Then he ran.', ['He said "Stop."', "Then he ran."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert [each.text for each in split_claims(text)] == sentences


@pytest.mark.parametrize(
    "text",
    [
        "# Heading",
        "Heading\n===",
        "***",
        "| Head | Row |\n|---|---|",
        "[1]: https://a.example",
        "- [Intro](#intro)\n- [Usage](#usage)",
        "**Sources:**\n- https://a.example\n- https://b.example",
        "## References\n\nSome book.\n\n### Web\n\n- a page",
        "## Table of contents\n\n- Intro\n- Usage",
        "<!-- a note -->",
        "",
        "[1]",
    ],
)
def test_what_states_nothing_is_no_claim(text: str) -> None:
    assert split_claims(text) == []


def test_text_after_a_source_list_is_read_again() -> None:
    assert claims("## Sources\n\n- a\n\n## Caveats\n\nIt may break [1].") == [
        ("It may break [1].", (1,))
    ]
    assert claims("Sources:\n\n[1] https://a.example\n\nIt may break [1].")[-1] == (
        "It may break [1].",
        (1,),
    )


def test_marks_on_a_line_of_their_own_belong_to_what_stands_before() -> None:
    assert claims("It holds nine cells.\n\n[1][2]") == [("It holds nine cells.", (1, 2))]
    assert claims("```\nrun it\n```\n[4]") == [("run it", (4,))]


def test_code_in_a_list_item_belongs_to_the_item() -> None:
    text = "- Use this: [2]\n\n  ```\n  go\n  ```\n- Next [1]"
    assert [(each.kind, each.item, each.marks) for each in split_claims(text)] == [
        ("prose", 1, (2,)),
        ("code", 1, (2,)),
        ("prose", 2, (1,)),
    ]


@given(st.text(alphabet="ab. [1]`|#-\n>*~(\x00é)", max_size=200))
def test_any_text_splits_into_slices_in_order(text: str) -> None:
    found: list[Statement] = split_claims(text)
    assert all(text[each.start : each.end] == each.text for each in found)
    assert [each.start for each in found] == sorted(each.start for each in found)
    items = [each.item for each in found]
    assert set(items) == set(range(1, len(set(items)) + 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\ncode never closed [1]", [("code never closed", (1,))]),
        ("```\ncode\n[1][2]\n", [("code", (1, 2))]),
        ("```\ncells[1]", [("cells[1]", ())]),
        (
            "```sh\nrun\n\nstop [1]\n\n## Next\n\nIt is on [2].",
            [("run\n\nstop", (1,)), ("It is on [2].", (2,))],
        ),
        ("```sh\nrun [1]\n\n# all\nstop\n```\n[2]", [("run [1]\n\n# all\nstop", (2,))]),
    ],
)
def test_an_unclosed_fence_ends_before_a_heading_and_marks_at_its_end_are_no_code(
    text: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert claims(text) == expected
