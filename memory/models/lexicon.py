"""Document frequencies per workspace, for BM25.

A store must not lock the row of the word "the", or all stores would queue behind it. So each write appends one
change row, and a background fold adds the changes up, in order of term, in one transaction (memory.tasks).
"""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models


class LexiconTotal(models.Model):
    """Number of records and of terms (with repetition) in a workspace: N and N x average length of BM25."""

    workspace = models.OneToOneField("metronix.Workspace", primary_key=True, on_delete=models.CASCADE, related_name="+")
    documents = models.BigIntegerField(default=0)
    terms = models.BigIntegerField(default=0)

    class Meta:
        db_table = "lexicon_totals"


class LexiconTerm(models.Model):
    """In how many records of the workspace a term occurs. `term_id` is a salted hash; no word is stored."""

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    term_id = models.IntegerField()
    documents = models.BigIntegerField()

    class Meta:
        db_table = "lexicon_terms"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["workspace", "term_id"], name="one_row_per_term", include=["documents"])
        ]


class LexiconChange(models.Model):
    """A record's terms that came (`sign` 1) or went (-1) and are not folded in yet."""

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey("metronix.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)
    sign = models.SmallIntegerField()
    term_ids = ArrayField(models.IntegerField())
    term_count = models.IntegerField()

    class Meta:
        db_table = "lexicon_changes"
