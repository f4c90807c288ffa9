"""Makes ``coefficients.json`` again: ``python -m review.detection.train [FILE.jsonl ...]``.

Fitted on the pairs in ``data/`` and on those of the files named. The strength of the penalty and the caution are
chosen by cross-validation (``validation``); a feature that is not zero in fewer than three pairs is left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from .chatter import CHATTER_FEATURES
from .fitting import fit
from .gate import ALARM, fit_gate
from .model import FILE, LABELS, Model
from .pairs import OWN, load_chatter, load_pairs, table
from .validation import Choice, choose

FEWEST_PAIRS = 3


def train(files: list[Path]) -> tuple[Model, Choice]:
    """The model for the own pairs and those in ``files``."""
    names, rows, labels = table([pair for path in (*OWN, *files) for pair in load_pairs(path)])
    kept = [index for index in range(len(names)) if np.count_nonzero(rows[:, index]) >= FEWEST_PAIRS]
    plain = [index for index in kept if names[index] not in CHATTER_FEATURES]
    choice = choose(rows[:, plain], labels)
    weights, intercept = fit(rows[:, plain], labels, np.ones(len(rows)), choice.strength)
    _, chat, _ = table(load_chatter())
    seen = [index for index in range(len(names)) if index in kept or names[index] in CHATTER_FEATURES]
    gate, base = fit_gate(rows[:, seen], labels, chat[:, seen])
    model = Model(
        intercept={label.value: round(float(intercept[k]), 5) for k, label in enumerate(LABELS)},
        weights={
            label.value: {names[index]: round(float(weights[row, k]), 5) for row, index in enumerate(plain)}
            for k, label in enumerate(LABELS)
        },
        caution=choice.caution,
        gate_intercept=round(base, 5),
        gate={names[index]: round(float(gate[row]), 5) for row, index in enumerate(seen)},
        alarm=ALARM,
    )
    return model, choice


def main() -> None:
    """Fit and write the file."""
    model, choice = train([Path(name) for name in sys.argv[1:]])
    FILE.write_text(json.dumps(vars(model), indent=1) + "\n", "utf-8")
    print(f"{FILE.name}: {len(model.gate)} features, strength {choice.strength}, caution {choice.caution}")


if __name__ == "__main__":
    main()
