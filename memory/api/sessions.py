"""/memory/sessions: start, end, promote."""

from __future__ import annotations

from rest_framework.response import Response

from memory.api import bodies, replies
from memory.api.payloads import promotion_payload, session_payload
from memory.presentation import moment
from memory.services.sessions import end_session, promote_records, start_session
from metronix.api.endpoint import Endpoint
from metronix.api.inputs import Acting
from metronix.api.operation import Call, operation
from metronix.tenancy.principal import Role


class Sessions(Endpoint):
    """/memory/sessions."""

    @operation(
        "start_session",
        "Open a session",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.NewSession,
        reply=replies.SessionReply,
        status=201,
        refusals=(409,),
    )
    def post(self, call: Call) -> Response:
        """Of the agent; a session is also opened by the first record that names it."""
        session = start_session(
            call.principal, project=call.body.project, metadata=call.body.metadata, session_id=call.body.session_id
        )
        return Response(session_payload(session), status=201)


class SessionEnd(Endpoint):
    """/memory/sessions/{id}/end."""

    @operation(
        "end_session",
        "End a session",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.EndSession,
        reply=replies.SessionEnd,
        refusals=(409,),
    )
    def post(self, call: Call, session_id: str) -> Response:
        """Its records live out their time; those in `promote` are kept. Again: the same answer."""
        session, promoted = end_session(call.principal, session_id=session_id, promote=call.body.promote)
        return Response(
            {
                "session_id": session.key,
                "ended_at": moment(session.ended_at),
                "promoted": [promotion_payload(promotion) for promotion in promoted],
            }
        )


class SessionPromote(Endpoint):
    """/memory/sessions/{id}/promote."""

    @operation(
        "promote_memories",
        "Keep session records",
        role=Role.EDITOR,
        query=Acting,
        body=bodies.Promote,
        reply=replies.Promotions,
        refusals=(409,),
    )
    def post(self, call: Call, session_id: str) -> Response:
        """As per_agent records, which outlive the session; a text that is known already is not kept twice."""
        promoted = promote_records(call.principal, session_id=session_id, record_ids=call.body.record_ids)
        return Response({"promoted": [promotion_payload(promotion) for promotion in promoted], "count": len(promoted)})
