"""What a server's refusal means: whether it passes, and what about the request it is."""

from __future__ import annotations

import json

import pytest

from intelli.errors import ModelError
from intelli.model.refusals import (
    RefusedError,
    TooLargeError,
    refusal,
    refusal_of,
    wait_of,
)
from intelli.model.reply import parse
from intelli.model.retry import RetryableError

TOKENS_A_MINUTE = (
    "Request too large for small-model in organization org-1 on tokens per min (TPM): "
    "Limit 30000, Requested 45120. The input or output tokens must be reduced."
)
CONTEXT = (
    "This model's maximum context length is 8192 tokens. However, you requested 10300 tokens "
    "(6300 in the messages, 4000 in the completion). Please reduce the length of the messages."
)


def said(message: str, **more: object) -> dict[str, object]:
    return {"message": message, **more}


@pytest.mark.parametrize(
    ("problem", "status", "passes"),
    [
        (said("x", code=429), 429, True),
        (said("x", code="529"), 529, True),
        (said("x", code="rate_limit_exceeded"), 429, True),
        (said("x", type="overloaded_error"), 529, True),
        (said("x", error_type="server_error"), 502, True),
        (said("x", error_type="invalid_request_error"), 400, False),
        (said("x", type="authentication_error"), 401, False),
        (said("upstream: Too Many Requests"), 429, True),
        (said("the request timed out"), 502, True),
        (said("I will not do that"), 200, False),
        ("the model is overloaded", 503, True),
    ],
)
def test_an_error_inside_a_200_is_mapped_to_its_status(
    problem: object, status: int, passes: bool
) -> None:
    error = refusal(problem, 200)
    assert error.code == f"model-{status}"
    assert isinstance(error, RetryableError) is passes
    assert error.retryable is passes


def test_a_spent_quota_does_not_pass_although_it_is_429() -> None:
    error = refusal(said("You exceeded your current quota", code="insufficient_quota"), 429)
    assert not error.retryable
    assert "credit" in error.hint


def test_402_in_a_200_passes_with_the_hint_of_the_head() -> None:
    body = json.dumps({"error": {"code": 402, "message": "in-flight budget"}}).encode()
    with pytest.raises(RetryableError) as caught:
        parse(body, "application/json", 2.0)
    assert caught.value.retry_after == 2.0
    with pytest.raises(ModelError) as final:
        parse(body, "application/json")
    assert not final.value.retryable


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Rate limit reached. Please try again in 1.5s.", 1.5),
        ("please try again in 250ms", 0.25),
        ("Retry after 3 seconds", 3.0),
        ("wait for another 2 minutes", 120.0),
        ("try again later", None),
        ("try again in a while, 30 times", None),
    ],
)
def test_when_to_come_back_is_read_from_words(words: str, seconds: float | None) -> None:
    assert wait_of(words) == seconds


def test_the_head_says_it_before_the_words_do() -> None:
    error = refusal(said("try again in 9s"), 429, 2.0)
    assert isinstance(error, RetryableError)
    assert error.retry_after == 2.0


@pytest.mark.parametrize(
    ("status", "words", "limit", "requested"),
    [
        (429, TOKENS_A_MINUTE, 30_000, 45_120),
        (400, CONTEXT, 8192, 10_300),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", 200_000, 210_000),
        (413, "Request Entity Too Large", None, None),
        (422, "Input is too long for requested model.", None, None),
    ],
)
def test_what_is_too_large_says_by_how_much(
    status: int, words: str, limit: int | None, requested: int | None
) -> None:
    error = refusal(said(words), status)
    assert isinstance(error, TooLargeError)
    assert (error.code, error.retryable) == ("model-too-large", False)
    assert (error.limit, error.requested) == (limit, requested)


@pytest.mark.parametrize(
    ("words", "longest"),
    [
        ("max_tokens: 6000 > 4096, which is the maximum allowed number of output tokens", 4096),
        ("max_tokens is too large: 6000. This model supports at most 4096 completion tokens", 4096),
        ("`max_tokens` must be less than or equal to `4096`, the maximum for it", 4096),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096),
        ("maxOutputTokens 6000 but the supported range is from 1 (inclusive) to 4097 (exclusive)",
         4097),
    ],
)  # fmt: skip
def test_an_answer_that_may_not_be_so_long_says_how_long(words: str, longest: int) -> None:
    error = refusal(said(words), 400)
    assert isinstance(error, TooLargeError)
    assert error.longest_answer == longest - 1


def test_the_context_of_a_server_of_ones_own_is_a_limit() -> None:
    words = "request (9100 tokens) exceeds the available context size (8192 tokens), increase it"
    error = refusal(said(words), 400)
    assert isinstance(error, TooLargeError)
    assert (error.limit, error.longest_answer) == (8192, None)


def test_a_limit_that_is_only_used_up_passes() -> None:
    words = "Rate limit reached on tokens per min: Limit 30000, Used 29000, Requested 2000."
    assert isinstance(refusal(said(words), 429), RetryableError)


@pytest.mark.parametrize(
    ("words", "param", "refused"),
    [
        ("Unsupported parameter: 'temperature' is not supported", None, {"temperature"}),
        ("Unsupported value for it", "temperature", {"temperature"}),
        ("Unrecognized request argument supplied: enable_thinking", None, {"enable_thinking"}),
        ('{"loc": ["body", "top_k"], "msg": "extra inputs are not permitted"}', None, {"top_k"}),
        ("'reasoning.effort' is not supported", "reasoning.effort", {"reasoning"}),
        ("Reasoning is mandatory and cannot be disabled", None, {"reasoning"}),
        ("temperature must be between 0 and 2", "temperature", set()),
        ("max_tokens is too large: 9000; this model takes no more than 4096", None, set()),
    ],
)
def test_a_field_that_the_server_does_not_take_is_named(
    words: str, param: str | None, refused: set[str]
) -> None:
    sent = {"temperature", "enable_thinking", "top_k", "reasoning", "max_tokens", "usage"}
    error = refusal(said(words, param=param), 400)
    assert isinstance(error, RefusedError)
    assert error.fields(sent) == refused


def test_what_a_provider_behind_the_server_said_counts_as_well() -> None:
    raw = '{"message": "Unknown parameter: top_k"}'
    error = refusal(said("Provider returned error", metadata={"raw": raw}), 400)
    assert isinstance(error, RefusedError)
    assert error.fields({"top_k", "temperature"}) == {"top_k"}


def test_a_body_without_an_error_object_speaks_for_itself() -> None:
    body = json.dumps({"detail": [{"loc": ["body", "temperature"], "msg": "unexpected field"}]})
    error = refusal_of(body, 422, None)
    assert isinstance(error, RefusedError)
    assert error.fields({"temperature", "usage"}) == {"temperature"}


@pytest.mark.parametrize("body", ["", "[" * 50_000, "\x00\xff", "null", "[]", '{"error": 7}'])
def test_odd_bodies_are_refusals_as_well(body: str) -> None:
    error = refusal_of(body, 500, None)
    assert error.code == "model-500"
    assert len(error.message) < 400


@pytest.mark.parametrize(
    "message", [{"content": None, "refusal": "I cannot help with that."}, {"content": ""}]
)
def test_a_model_that_declines_is_an_error(message: dict[str, object]) -> None:
    choice = {"message": message, "finish_reason": "content_filter"}
    with pytest.raises(ModelError) as caught:
        parse(json.dumps({"choices": [choice]}).encode(), "application/json")
    assert (caught.value.code, caught.value.retryable) == ("model-declined", False)


def test_what_a_filter_left_of_an_answer_is_kept() -> None:
    choice = {"message": {"content": "Twelve"}, "finish_reason": "content_filter"}
    assert parse(json.dumps({"choices": [choice]}).encode(), "").text == "Twelve"
