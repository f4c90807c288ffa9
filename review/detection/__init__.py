"""Are two short statements the same, opposed, one the successor of the other, or simply two statements?

Pure functions without Django, database or LLM: ``detect(a, b)`` gives a label, its probability and the reasons in
words. The weights are fitted (``train``), the features are named and each can be told to an operator (``explain``).
"""

from .detect import detect
from .statement import Finding, Label, Reason, Statement

__all__ = ["Finding", "Label", "Reason", "Statement", "detect"]
