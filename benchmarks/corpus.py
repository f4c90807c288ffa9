"""Large workspaces without embedding each text: words resampled from real sentences, vectors perturbed from real ones.

A sentence keeps two thirds of a base sentence's words and takes the rest from others; its vector is the base's plus
noise of the size that separates paraphrases. So frequencies, lengths and the spread of vectors are those of real text.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

SUBJECTS = """the harbour pilot|our night nurse|a retired watchmaker|the staging server|my neighbour's greyhound
the village choir|an apprentice baker|the build pipeline|her younger brother|the museum's archivist|a tram driver
the payment gateway|the orchard keeper|their physics teacher|the lighthouse crew|an exchange student""".replace(
    "\n", "|"
)
DEEDS = """repaired|postponed|translated|photographed|restarted|inherited|catalogued|forgot|borrowed|measured
painted|rejected|sold|rewrote|tasted|archived""".replace("\n", "|")
THINGS = """a copper kettle|the quarterly report|three wooden boats|an old sonata|the backup schedule|a jar of honey
the northern fence|two rare stamps|the login page|a winter coat|the oak staircase|the tide tables|a faulty sensor
the wedding album|the border hedge|an electric piano""".replace("\n", "|")
TIMES = """before the storm|last Tuesday|during the audit|after midnight|in early March|while it rained|for the festival
at the ferry landing|without telling anyone|between two meetings|on a cold morning|as a favour""".replace("\n", "|")
BASES = 400
NOISE = 0.035
"""Standard deviation per coordinate: perturbed copies have a cosine of about 0.82 with their base."""


def sentences(count: int, seed: int) -> list[str]:
    """Distinct sentences of 20 words or so."""
    chooser = random.Random(seed)
    parts = [part.split("|") for part in (SUBJECTS, DEEDS, THINGS, TIMES)]
    return [
        " ".join(chooser.choice(part) for part in parts)
        + f" and {' '.join(chooser.choice(part) for part in parts)}, entry {seed}-{number}."
        for number in range(count)
    ]


def fill(workspace_id: str, agent_id: str, count: int, *, seed: int = 1) -> None:
    """Put `count` records into a workspace through the store's own code, with given vectors."""
    from memory.services.drafts import draft
    from memory.services.preparation import prepare, without_vectors
    from memory.services.store import insert_all
    from memory.tasks import fold_lexicon
    from metronix.tenancy.bootstrap import ensure_workspace
    from metronix.tenancy.context import tenant
    from metronix.tenancy.principal import Door, Principal, PrincipalType, Role

    ensure_workspace(workspace_id)
    principal = Principal("bench", PrincipalType.MODEL, Role.EDITOR, frozenset({workspace_id}), Door.COMMAND).at(
        workspace_id, agent_id
    )
    rng = np.random.default_rng(seed)
    bases = prepare(workspace_id, sentences(min(BASES, count), seed))
    vectors = [base.vectors for base in bases]
    texts = sentences(count, seed + 1)
    for start in range(0, count, 200):
        rows = []
        for text in texts[start : start + 200]:
            base = vectors[rng.integers(len(vectors))]
            assert base is not None
            vector = base[0] + rng.normal(0, NOISE, base.shape[1])
            vector = (vector / np.linalg.norm(vector)).astype(np.float32)
            prepared = without_vectors(workspace_id, text)
            rows.append((draft(content=text), replace(prepared, vectors=vector[None, :], model_id=bases[0].model_id)))
        with tenant(principal):
            insert_all(principal, rows)
    fold_lexicon()
