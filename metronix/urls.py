"""Routes outside MCP (the ASGI dispatcher takes /mcp before Django sees it).

None ends in a slash: the request middleware takes one off, so that both spellings answer and neither redirects.
"""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerView

from memory.api.stats import Stats, WorkspaceStats
from metronix.health import health, ready

urlpatterns = [
    # People who type the bare address look for the admin.
    path("", RedirectView.as_view(url="/admin/")),
    re_path(r"^(?:api/v1/)?health$", health),
    re_path(r"^(?:api/v1/)?ready$", ready),
    path("api/v1/", include("metronix.api.urls")),
    path("api/v1/memory/", include("memory.api.urls")),
    path("api/v1/stats", Stats.as_view()),
    path("api/v1/workspaces/<str:workspace_id>/stats", WorkspaceStats.as_view()),
    path("api/schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("api/docs", SpectacularSwaggerView.as_view(url_name="schema")),
    re_path(r"^admin/", admin.site.urls),
]
