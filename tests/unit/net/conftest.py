"""Both clients for pages, by turns."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

CLIENTS = ("plain", "browser")


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if name == "browser" and find_spec("curl_cffi") is None:
        pytest.skip("the extra `impersonate` is not installed")
    return name
