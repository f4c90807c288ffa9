"""`manage.py import_conversations FILE`: conversations become memory."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.importers.conversations import read_conversations
from memory.services.importing import ImportReport, import_entries
from metronix.errors import MetronixError
from metronix.progress import Reporter
from metronix.tenancy.principal import EVERY_WORKSPACE, Door, Principal, PrincipalType, Role

SHOWN = 20


class Command(BaseCommand):
    """A second run adds only what is missing, so an interrupted one is resumed by running it again."""

    help = "Import conversations (LoCoMo JSON, or JSON Lines of {agent_id, session_id, content, created_at, metadata})."

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE and where to put it."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--workspace", help="put everything there (default: one workspace per sample; JSON Lines: the default one)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, report, and fail if anything was rejected."""
        path: Path = options["file"]
        operator = Principal(
            id="command",
            type=PrincipalType.HUMAN,
            role=Role.ADMIN,
            grants=frozenset({EVERY_WORKSPACE}),
            door=Door.COMMAND,
        )
        started = time.monotonic()
        report = ImportReport()
        try:
            entries = list(read_conversations(path))
            with Reporter(f"importing {path.name}", len(entries), sys.stderr) as progress:

                def tell(current: ImportReport) -> None:
                    nonlocal report
                    report = current
                    progress(current.seen)

                report = import_entries(operator, entries, workspace_id=options["workspace"], on_progress=tell)
        except OSError as problem:
            raise CommandError(f"{path}: {problem.strerror}.") from None
        except UnicodeDecodeError:
            raise CommandError(f"{path} is not UTF-8.") from None
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        except KeyboardInterrupt:
            raise CommandError(f"Stopped after {report.stored} stored. Run the same command again to resume.") from None
        seconds = time.monotonic() - started
        for rejected in report.rejected[:SHOWN]:
            self.stderr.write(f"not taken: {rejected.where}: {rejected.reason}")
        self.stdout.write(
            f"{report.stored} stored, {report.known} already there, {len(report.rejected)} not taken, "
            f"in {seconds:.1f} s ({report.stored / max(seconds, 0.001):.1f} stored/s)"
        )
        if report.rejected:
            raise CommandError(f"{len(report.rejected)} entries were not taken.")
