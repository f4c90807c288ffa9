"""How well pairs of statements are told apart: ``make bench NAME=pairs FILE=pairs.jsonl [ARGS="--nested"]``.

Prints precision, recall and F1 by label, macro-F1, the direction of replacements, and time per pair. ``--nested``
also refits on this file by nested cross-validation (10 folds, repeated; penalty and caution chosen inside each fold),
with the platform's own pairs as further rows and without, and by clusters of topics, so that no subject is both
fitted on and asked.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from review.detection import detect
from review.detection.chatter import CHATTER_FEATURES
from review.detection.gate import raised_out_of_fold
from review.detection.model import LABELS
from review.detection.pairs import OWN, Pair, load_chatter, load_pairs, table
from review.detection.statement import Label
from review.detection.topics import by_topic
from review.detection.validation import Labels, Scores, choose, nested, score


def print_scores(title: str, scores: Scores) -> None:
    """One line a label, and the mean."""
    print(f"\n{title}\n{'label':<15}{'precision':>10}{'recall':>8}{'F1':>7}")
    for index, label in enumerate(LABELS):
        print(f"{label:<15}{scores.precision[index]:>10.3f}{scores.recall[index]:>8.3f}{scores.f1[index]:>7.3f}")
    print(f"{'macro-F1':<15}{'':>18}{scores.macro:>7.3f}")


def direction_share(pairs: list[Pair], labels: Labels) -> float:
    """Share of true replacements answered as replacement; the later side always takes the place."""
    mine = [index for index, pair in enumerate(pairs) if pair.label == Label.REPLACEMENT]
    return float(np.mean([labels[index] == LABELS.index(Label.REPLACEMENT) for index in mine])) if mine else 0.0


def shipped(pairs: list[Pair]) -> None:
    """The detector as it ships."""
    start = time.perf_counter()
    findings = [detect(pair.a, pair.b) for pair in pairs]
    spent = time.perf_counter() - start
    truth = np.array([LABELS.index(pair.label) for pair in pairs])
    answers = np.array([LABELS.index(finding.label) for finding in findings])
    print_scores(f"The shipped detector, {len(pairs)} pairs", score(truth, answers))
    wanted = [finding for finding, pair in zip(findings, pairs, strict=True) if pair.label == Label.REPLACEMENT]
    if wanted:
        print(f"direction right  {sum(finding.direction == 'b' for finding in wanted) / len(wanted):.3f}")
    for label in LABELS[:-1]:
        raised = [f.alarm != Label.UNRELATED for f, pair in zip(findings, pairs, strict=True) if pair.label == label]
        print(f"raised at the cautious operating point, {label}: {np.mean(raised or [False]):.3f}")
    harmless = [f.alarm != Label.UNRELATED for f, pair in zip(findings, pairs, strict=True) if pair.label == LABELS[-1]]
    print(f"raised at the cautious operating point, unrelated: {np.mean(harmless or [False]):.3f}")
    print(f"{1000 * spent / max(1, len(pairs)):.2f} ms a pair, vectors given")


def refitted(pairs: list[Pair], repeats: int) -> None:
    """Nested cross-validation on this file."""
    names, everything, labels = table(pairs)
    plain = [index for index, name in enumerate(names) if name not in CHATTER_FEATURES]
    _, own_rows, own_labels = table([pair for path in OWN for pair in load_pairs(path)])
    own = (own_rows[:, plain], own_labels)
    rows = everything[:, plain]
    _, talk, _ = table(load_chatter())
    choice = choose(rows, labels, own)
    raised = raised_out_of_fold(
        everything, plain, labels, (own_rows, own_labels), talk, choice.strength, choice.caution
    )
    print("\nraised at the cautious operating point, out of fold:")
    print(", ".join(f"{label} {share:.3f}" for label, share in zip(LABELS, raised, strict=True)))
    for title, extra in (("this file alone", None), ("with the own pairs", own)):
        runs = nested(rows, labels, extra, repeats)
        scores = [score(labels, answers) for answers in runs]
        macros = [one.macro for one in scores]
        mean = Scores(
            *(np.mean([getattr(one, part) for one in scores], axis=0) for part in ("precision", "recall", "f1"))
        )
        print_scores(f"Nested cross-validation, {title}, {repeats} x 10 folds", mean)
        print(f"spread of macro-F1: {np.std(macros):.3f} ({min(macros):.3f} to {max(macros):.3f})")
        print(f"direction right: {np.mean([direction_share(pairs, answers) for answers in runs]):.3f}")
    vectors = np.array([pair.a.vector for pair in pairs])
    print_scores(
        "By clusters of topics (k-means, 15), with the own pairs", score(labels, by_topic(rows, labels, vectors, own))
    )


def main() -> None:
    """Read the file and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--nested", action="store_true", help="refit by nested cross-validation")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    pairs = load_pairs(given.file)
    shipped(pairs)
    if given.nested:
        refitted(pairs, given.repeats)


if __name__ == "__main__":
    main()
