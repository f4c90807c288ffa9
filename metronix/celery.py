"""The Celery application: `celery -A metronix.celery worker` and `... beat`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")

app = Celery("metronix")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
