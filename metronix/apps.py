"""The `metronix` app: tenancy, credentials and the platform's own commands."""

from django.apps import AppConfig


class MetronixConfig(AppConfig):
    """Registers the system checks."""

    name = "metronix"
    verbose_name = "Workspaces and access"

    def ready(self) -> None:
        """Importing the module registers its checks."""
        from metronix import checks  # noqa: F401
