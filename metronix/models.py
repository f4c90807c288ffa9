"""Models of the `metronix` app (Django looks for them here)."""

from metronix.tenancy.models import Agent, ApiKey, Grant, User, Workspace

__all__ = ["Agent", "ApiKey", "Grant", "User", "Workspace"]
