"""Metronix: a memory platform for AI agents, looked after in the Django admin."""

__version__ = "0.1.0"
