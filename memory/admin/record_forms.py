"""The form that edits a memory."""

from __future__ import annotations

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminTextareaWidget

from memory.fields import CONTENT_LENGTH
from memory.models import MemoryRecord


class RecordForm(forms.Form):
    """Content, tags and importance; `revision` is what the person had before them."""

    content = forms.CharField(
        strip=False, max_length=CONTENT_LENGTH, widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "dir": "auto"})
    )
    tags = forms.CharField(
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "dir": "auto"}),
        help_text="One on each line.",
    )
    importance_score = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Importance",
        widget=UnfoldAdminDecimalFieldWidget(attrs={"step": "any"}),
        help_text="From 0 to 1.",
    )
    revision = forms.IntegerField(widget=forms.HiddenInput)

    @staticmethod
    def initial_of(record: MemoryRecord) -> dict[str, Any]:
        """The record as it is."""
        return {
            "content": record.content,
            "tags": "\n".join(record.tags),
            "importance_score": record.importance_score,
            "revision": record.revision,
        }

    def changes(self, record: MemoryRecord) -> dict[str, Any]:
        """What the person changed, as keywords of `update_record`.

        Browsers send every line end as CR LF; what differs in nothing else is not a change.
        """
        data = self.cleaned_data
        found: dict[str, Any] = {}
        sent = _plain(data["content"])
        if sent != _plain(record.content):
            found["content"] = sent.replace("\n", "\r\n") if "\r\n" in record.content else sent
        tags = [line.strip() for line in _plain(data["tags"]).split("\n") if line.strip()]
        if tags != [tag.strip() for tag in record.tags]:
            found["tags"] = tags
        if data["importance_score"] != record.importance_score:
            found["importance_score"] = data["importance_score"]
        return found


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
