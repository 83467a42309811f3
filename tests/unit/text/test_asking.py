"""Which words of a question tell an answer from other text."""

from __future__ import annotations

from intelli.text.asking import asked


def test_words_of_every_manual_are_weak_unless_there_are_no_others() -> None:
    assert asked("How do I configure logging?").strong == asked("logging").strong
    assert asked("How do I set the default?").strong == asked("set default").strong


def test_figures_and_identifiers_are_exact_and_names_are_known() -> None:
    one = asked("What changed for Kestrel in 3.1.0?")
    assert one.exact == {"3.1.0"}
    assert one.names == {"kestrel"}


def test_coverage_counts_a_name_half_and_what_is_missing_whole() -> None:
    one = asked("Who is the CEO of Kestrel?")
    assert one.covered({"kestrel"}) < 0.38 < one.covered({"ceo"})
    assert one.covered({"kestrel", "ceo"}) == 1.0
    assert one.covered(set()) == 0.0


def test_missing_words_are_named_as_written_once_and_in_order() -> None:
    one = asked("Does Kubernetes ingress, the ingress, support leases?")
    assert one.missing(frozenset({"leas"})) == ("Kubernetes", "ingress")
    assert asked("租约多久过期？").missing(frozenset()) == ()
