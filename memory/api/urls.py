"""Routes of memories, without slashes at their ends (the middleware takes one off what comes)."""

from django.urls import path

from memory.api.batches import DeleteBatch, StoreBatch
from memory.api.forgetting import ForgetView
from memory.api.record import Record, RecordEvents, RecordHistory, RecordUndo, Version
from memory.api.records import Records
from memory.api.searching import Context, FacetsView, Search
from memory.api.sessions import SessionEnd, SessionPromote, Sessions

urlpatterns = [
    path("records", Records.as_view()),
    path("records/batch", StoreBatch.as_view()),
    path("records/batch-delete", DeleteBatch.as_view()),
    path("records/<str:record_id>", Record.as_view()),
    path("records/<str:record_id>/history", RecordHistory.as_view()),
    path("records/<str:record_id>/events", RecordEvents.as_view()),
    path("records/<str:record_id>/undo", RecordUndo.as_view()),
    path("versions/<str:version_id>", Version.as_view()),
    path("search", Search.as_view()),
    path("facets", FacetsView.as_view()),
    path("context", Context.as_view()),
    path("forget", ForgetView.as_view()),
    path("sessions", Sessions.as_view()),
    path("sessions/<path:session_id>/end", SessionEnd.as_view()),
    path("sessions/<path:session_id>/promote", SessionPromote.as_view()),
]
