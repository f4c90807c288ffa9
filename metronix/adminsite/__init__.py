"""The admin's frame: one transaction per request, permissions by role, every write through a service."""
