"""`intelli research --dry-run`: the plan of a run and its price, printed instead of carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.cli.asking import Asked

if TYPE_CHECKING:
    from intelli.plans import Plan
    from intelli.toolbox import Toolbox


def show_plan(asked: Asked) -> int:
    """Print what the run would do. What would keep it from starting is refused here as well."""
    from intelli.cli.running import with_toolbox
    from intelli.planning import plan_of
    from intelli.show.planned import plan_document, plan_text

    async def work(tools: Toolbox) -> Plan:
        return plan_of(
            asked.query,
            tools,
            asked.given,
            reuse=asked.reuse,
            fresh=asked.fresh,
            thorough=asked.job.thorough,
        )

    plan = with_toolbox(asked.settings, asked.job, asked.streams, work)
    if asked.streams.as_json:
        asked.streams.document(plan_document(asked.query, plan), file=asked.output)
    else:
        asked.streams.result(plan_text(asked.query, plan), file=asked.output)
    return 0
