"""The Celery application: `celery -A metronix.celery worker` and `... beat`."""

from __future__ import annotations

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "metronix.settings")

app = Celery("metronix")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def refuse_bad_start(**_: Any) -> None:
    """The start-up check. Celery logs exceptions of its signals' receivers and goes on, hence the exit."""
    from metronix.embedded.problems import StartProblem
    from metronix.start_check import refuse_bad_start

    try:
        refuse_bad_start()
    except StartProblem as problem:
        logging.getLogger(__name__).critical("The worker does not start. %s", problem)
        raise SystemExit(1) from None
