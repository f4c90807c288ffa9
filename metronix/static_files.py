"""Style sheets and scripts of the admin, served by the application itself: no web server or collecting step needed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from servestatic import ServeStaticASGI

MAX_AGE_SECONDS = 3_600


def with_static_files(application: Any) -> Any:
    """The application behind the files of the installed apps, which are listed once, at the start."""
    served = ServeStaticASGI(application, max_age=MAX_AGE_SECONDS, autorefresh=settings.DEBUG)
    for finder in finders.get_finders():
        for storage in getattr(finder, "storages", {}).values():
            served.add_files(storage.location, prefix=settings.STATIC_URL)
    return served
