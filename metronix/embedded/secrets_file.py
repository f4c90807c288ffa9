"""The passwords and keys of one home: random, made once, kept in a file of mode 0600."""

from __future__ import annotations

import secrets

from metronix.embedded.files import read_json, write_json
from metronix.embedded.home import Home

NAMES = ("superuser_password", "owner_password", "application_password", "secret_key", "jwt_secret")


def kept_secrets(home: Home) -> dict[str, str]:
    """Every secret by name; missing ones are made and written before anything can depend on them."""
    kept = {name: str(value) for name, value in read_json(home.secrets).items()}
    missing = [name for name in NAMES if not kept.get(name)]
    if missing:
        # token_urlsafe needs no quoting inside a URL or SQL literal.
        kept |= {name: secrets.token_urlsafe(48 if name in ("secret_key", "jwt_secret") else 24) for name in missing}
        write_json(home.secrets, kept)
    return kept
