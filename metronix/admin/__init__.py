"""Admin pages of workspaces, people, keys and agents (Django looks for them here)."""

from django.contrib import admin
from django.contrib.auth.models import Group

from metronix.admin import agents, keys, users, workspaces

__all__ = ["agents", "keys", "users", "workspaces"]

# Roles and grants decide here; Django's groups would be a second, ineffective way to give permissions.
if admin.site.is_registered(Group):
    admin.site.unregister(Group)
