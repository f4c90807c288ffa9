"""/memory/forget."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from memory.api import bodies, replies
from memory.services.forget import Wanted, forget
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting
from metronix.api.operation import Call, operation
from metronix.tenancy.principal import Role


class ForgetView(Endpoint):
    """/memory/forget."""

    @operation(
        "forget_memories",
        "Forget by agent, user, session or filter",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.Forget,
        reply=replies.ForgetReply,
    )
    def post(self, call: Call) -> Response:
        """Counts first: nothing is deleted unless `dry_run` is false. Forgetting by user needs the role admin."""
        body = call.body
        chosen: Any = body.filter or bodies.ForgetFilter()
        wanted = Wanted(
            agent_id=body.agent_id,
            user=body.user,
            session_id=body.session_id,
            scope=chosen.scope,
            kinds=chosen.kind_filter or (),
            statuses=chosen.status_filter or (),
            source_types=chosen.source_type_filter or (),
            tags=chosen.tags or (),
            project=chosen.project,
            created_before=chosen.created_before,
            created_after=chosen.created_after,
        )
        report = forget(call.principal, wanted, dry_run=body.dry_run)
        return Response(
            {
                "dry_run": body.dry_run,
                "matched": report.matched,
                "deleted": report.deleted,
                "sessions": report.sessions,
                "record_ids": [str(record_id) for record_id in report.record_ids],
            }
        )
