"""Certificates for servers of tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def make_certificate(folder: Path) -> Path:
    """Key and self-signed certificate of the host pumps.test in one file."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("making a certificate takes openssl")
    both = folder / "pumps.pem"
    subprocess.run(
        [
            *(program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=pumps.test", "-addext", "subjectAltName=DNS:pumps.test"),
            *("-keyout", str(both.with_suffix(".key")), "-out", str(both)),
        ],
        check=True,
        capture_output=True,
    )
    both.write_text(both.read_text() + both.with_suffix(".key").read_text())
    return both
