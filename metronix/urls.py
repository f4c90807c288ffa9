"""Routes outside MCP (the ASGI dispatcher takes /mcp before Django sees it)."""

from django.contrib import admin
from django.urls import path

urlpatterns = [
    path("admin/", admin.site.urls),
]
