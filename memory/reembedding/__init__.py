"""Changing the embedding model while search goes on (docs/embedding.md)."""

from memory.reembedding.change import ChangeReport, change_model, prune_models, roll_back
from memory.reembedding.registration import calibrate, registered

__all__ = ["ChangeReport", "calibrate", "change_model", "prune_models", "registered", "roll_back"]
