"""A memory's page and what can be done on it; each act is one call of a service."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from memory.admin.record_forms import RecordForm
from memory.admin.record_page import page
from memory.models import MemoryRecord
from memory.services import delete_record, record_story, set_status, undo_update, update_record
from memory.vocabulary import Status
from metronix.adminsite.confirm import confirmation
from metronix.adminsite.display import page_of, short
from metronix.adminsite.site import opens_transactions, rendered
from metronix.adminsite.who import of_request
from metronix.errors import Conflict, InvalidParams, MetronixError, NotFound
from metronix.tenancy import policy
from metronix.tenancy.context import granted_visible
from metronix.tenancy.principal import Principal


class RecordViews:
    """Views of the record's admin (mixed in before unfold's ModelAdmin)."""

    admin_site: Any
    opts: Any

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page; it is read at this address and written at those of its buttons."""
        if object_id is None:
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        return self._page(request, *self._place(request, object_id))

    @opens_transactions
    def edit_view(self, request: HttpRequest, object_id: uuid.UUID) -> HttpResponseBase:
        """Save the form; a record that has changed meanwhile is shown with the person's text kept."""
        principal, record = self._writing(request, object_id)
        form = RecordForm(request.POST)
        if not form.is_valid():
            return self._refused(request, principal, record, form, 422)
        changes = form.changes(record)
        if not changes:
            messages.info(request, "Nothing was changed.")
            return HttpResponseRedirect(page_of(MemoryRecord, record.pk))
        try:
            update_record(
                principal, record_id=str(record.pk), expected_revision=form.cleaned_data["revision"], **changes
            )
        except InvalidParams as problem:
            field = str(problem.details.get("field", ""))
            form.add_error(field if field in form.fields else None, problem.message)
            return self._refused(request, principal, record, form, 422)
        except Conflict as problem:
            return self._refused(request, principal, record, _after_conflict(form, problem), 409)
        messages.success(request, f"Saved: {', '.join(sorted(changes)).replace('_score', '')}.")
        return HttpResponseRedirect(page_of(MemoryRecord, record.pk))

    def status_view(self, request: HttpRequest, object_id: uuid.UUID) -> HttpResponse:
        """Move it to another status."""
        principal, record = self._writing(request, object_id)
        wanted = request.POST.get("status", "")
        if wanted not in set(Status):
            raise InvalidParams("Unknown status.", field="status")
        return self._act(
            request,
            record,
            f"Now {wanted.replace('_', ' ')}.",
            lambda: set_status(
                principal, record_id=str(record.pk), status=Status(wanted), expected_revision=_revision(request)
            ),
        )

    @opens_transactions
    def undo_view(self, request: HttpRequest, object_id: uuid.UUID) -> HttpResponse:
        """Take the last change of content back, as a new version."""
        principal, record = self._writing(request, object_id)
        return self._act(
            request,
            record,
            "The former content is back, as a new version.",
            lambda: undo_update(principal, record_id=str(record.pk), expected_revision=_revision(request)),
        )

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask, then delete for good."""
        principal, record = self._place(request, object_id)
        if not policy.may_edit(principal):
            raise PermissionDenied
        if request.method == "POST":
            if delete_record(principal, record_id=str(record.pk), sessions_too=True):
                messages.success(request, f"The memory {short(record.pk)} is deleted.")
            return HttpResponseRedirect(reverse("admin:memory_memoryrecord_changelist"))
        return confirmation(
            request,
            self.admin_site,
            self.opts,
            title="Delete this memory?",
            lines=[
                f"“{record.content[:300]}{'…' if len(record.content) > 300 else ''}”",
                f"It goes with its {record.version - 1} former versions and all vectors; only its id stays in events."
                " There is no way back. An archived memory is out of every search, too, and can be restored.",
            ],
            button="Delete for good",
            back=page_of(MemoryRecord, record.pk),
        )

    def _place(self, request: HttpRequest, object_id: object) -> tuple[Principal, MemoryRecord]:
        """The record, and the person placed in its workspace. Error: NotFound, also for other workspaces."""
        try:
            wanted = uuid.UUID(str(object_id))
        except ValueError:
            raise NotFound("Memory record not found.") from None
        record = MemoryRecord.objects.filter(id=wanted).defer("term_ids", "term_weights").first()
        if record is None:
            raise NotFound("Memory record not found.")
        return of_request(request).at(record.workspace_id), record

    def _writing(self, request: HttpRequest, object_id: object) -> tuple[Principal, MemoryRecord]:
        if request.method != "POST":
            raise NotFound("Nothing to read here.")
        if not policy.may_edit(of_request(request)):
            raise PermissionDenied
        with granted_visible(of_request(request)):
            return self._place(request, object_id)

    def _refused(
        self, request: HttpRequest, principal: Principal, record: MemoryRecord, form: RecordForm, status: int
    ) -> HttpResponseBase:
        with granted_visible(of_request(request)):
            return rendered(self._page(request, principal, record, form, status))

    def _act(self, request: HttpRequest, record: MemoryRecord, done: str, act: Any) -> HttpResponse:
        """Do it and return to the page, which tells how it went."""
        try:
            act()
        except MetronixError as problem:
            messages.error(request, f"{problem.message} {problem.hint}".strip())
        else:
            messages.success(request, done)
        return HttpResponseRedirect(page_of(MemoryRecord, record.pk))

    def _page(
        self,
        request: HttpRequest,
        principal: Principal,
        record: MemoryRecord,
        form: RecordForm | None = None,
        status: int = 200,
    ) -> HttpResponse:
        story = record_story(principal, record_id=record.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": f"Memory {short(record.pk)}",
            "title": f"Memory {short(record.pk)}",
            **page(request, story, form),
        }
        return TemplateResponse(request, "admin/memory/memoryrecord/story.html", context, status=status)


def _revision(request: HttpRequest) -> int | None:
    """The revision the person had before them."""
    sent = request.POST.get("revision", "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else None


def _after_conflict(form: RecordForm, problem: Conflict) -> RecordForm:
    """The same text; saved again it replaces the revision that is now shown above it."""
    current = problem.details.get("revision")
    if current is None:
        form.add_error("content", f"{problem.message} {problem.hint}".strip())
        return form
    again = RecordForm({name: form.data[name] for name in form.fields} | {"revision": str(current)})
    again.is_valid()
    again.add_error(
        None,
        "Someone changed this memory after you opened it. What it says now stands above; your text is kept below and "
        "has not been saved. Save again to replace theirs with yours.",
    )
    return again
