"""Routes outside MCP (the ASGI dispatcher takes /mcp before Django sees it)."""

from django.contrib import admin
from django.urls import re_path

from metronix.health import health, ready

# `/?$` in one place instead of a doubled route: both spellings answer, neither redirects.
urlpatterns = [
    re_path(r"^(?:api/v1/)?health/?$", health),
    re_path(r"^(?:api/v1/)?ready/?$", ready),
    re_path(r"^admin/", admin.site.urls),
]
