"""The `metronix` app: tenancy, credentials and the platform's own commands."""

from django.apps import AppConfig


class MetronixConfig(AppConfig):
    """Registers the system checks."""

    name = "metronix"
    verbose_name = "Workspaces and access"
