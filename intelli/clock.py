"""Time spent by stage: from the first start to the last end, so that stages may overlap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from intelli.events import Emit, StageEnded, StageStarted
from intelli.records import STAGES, Stage, Timing


class Clock:
    """Starts when it is made; announces the first start of each stage."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._began = perf_counter()
        self._first: dict[Stage, float] = {}
        self._last: dict[Stage, float] = {}

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        """Counts what runs inside towards `stage`, whether it ends well or not."""
        if stage not in self._first:
            self._first[stage] = perf_counter()
            self._emit(StageStarted(stage=stage))
        try:
            yield
        finally:
            self._last[stage] = perf_counter()

    def ended(self, stage: Stage) -> None:
        """Nothing more will run in this stage."""
        if stage in self._last:
            self._emit(StageEnded(stage=stage, seconds=self._seconds(stage)))

    def timing(self) -> Timing:
        stages: dict[str, float] = {stage: self._seconds(stage) for stage in STAGES}
        return Timing(wall_s=round(perf_counter() - self._began, 3), stages=stages)

    def _seconds(self, stage: Stage) -> float:
        if stage not in self._last:
            return 0.0
        return round(self._last[stage] - self._first[stage], 3)
