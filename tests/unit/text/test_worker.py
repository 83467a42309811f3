"""The child's side of the pipe: frames in, frames out, whatever a library prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from intelli.text import frames

ROOT = Path(__file__).resolve().parents[3]
NOISY = (
    "import os, sys\n"
    "from intelli.text import readers, worker\n"
    "reads = readers.read\n"
    "def noisy(*arguments):\n"
    "    print('a library talks')\n"
    "    os.write(1, b'and talks below Python')\n"
    "    return reads(*arguments)\n"
    "readers.read = noisy\n"
    "worker.main()\n"
)


def answers(script: str, *jobs: frames.Job) -> list[bytes]:
    """Payloads of the frames that a worker writes for some jobs."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=b"".join(frames.pack_job(job) for job in jobs),
        capture_output=True,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    payloads, rest = [], done.stdout
    while rest:
        (size,) = frames.SIZE.unpack(rest[:4])
        payloads.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    return payloads


def job(body: bytes) -> frames.Job:
    return frames.Job(body=body, content_type="text/html", url="https://a.test/", limit=30.0)


def test_each_job_gets_one_answer_in_order() -> None:
    script = "from intelli.text import worker; worker.main()"
    found = answers(script, job(b"<p>one</p>"), job(b"<p>two \xf0\x9f\x9a\xb0</p>"))
    assert [frames.unpack_document(payload).text for payload in found] == ["one", "two 🚰"]


def test_a_noisy_library_cannot_break_the_frames() -> None:
    (found,) = answers(NOISY, job(b"<p>quiet</p>"))
    assert frames.unpack_document(found).text == "quiet"


def test_input_that_ends_within_a_job_ends_the_worker() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from intelli.text import worker; worker.main()"],
        input=frames.pack_job(job(b"<p>cut</p>"))[:-3],
        capture_output=True,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert done.stdout == b""
