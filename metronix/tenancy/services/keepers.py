"""The keys that a person keeps: issued for them by an administrator, and ending with the person's access."""

from __future__ import annotations

from typing import Any

from metronix.errors import NotFound
from metronix.tenancy.models import ApiKey
from metronix.tenancy.principal import Principal
from metronix.tenancy.services.keys import create_key, list_keys, revoke_key
from metronix.tenancy.services.users import get_user


def list_keys_of(actor: Principal, *, user_id: str) -> list[ApiKey]:
    """Keys of one person within reach, newest first. Errors: Forbidden, NotFound."""
    return list_keys(actor, keeper=get_user(actor, user_id=user_id))


def create_key_for(actor: Principal, *, user_id: str, **given: Any) -> tuple[ApiKey, str]:
    """A key kept by this person; keywords and errors are those of `create_key`, and NotFound."""
    return create_key(actor, keeper=get_user(actor, user_id=user_id), **given)


def revoke_key_of(actor: Principal, *, user_id: str, key_id: str) -> ApiKey:
    """Revoke one of this person's keys. Errors: Forbidden, NotFound, also for somebody else's."""
    if not any(str(row.id) == key_id for row in list_keys_of(actor, user_id=user_id)):
        raise NotFound(f"API key not found: {key_id[:64]}", details={"key_id": key_id[:64]})
    return revoke_key(actor, key_id=key_id)
