"""Makes our site the default one, so that plain `@admin.register` uses it."""

from django.contrib.admin.apps import AdminConfig


class MetronixAdminConfig(AdminConfig):
    """Replaces `django.contrib.admin` in INSTALLED_APPS."""

    default_site = "metronix.adminsite.site.MetronixAdminSite"
