"""Django settings: the platform's configuration, all of it read through `metronix.env`.

Where nothing is set, the values that `manage.py up` keeps under METRONIX_HOME apply (embedded services, secrets).
"""

from __future__ import annotations

import os
from pathlib import Path

from snowballstemmer import algorithms

from metronix import env
from metronix.database import database_role, database_settings
from metronix.embedded.state import stored_environment
from metronix.embedder_settings import configured_embedder, previous_embedder

BASE_DIR = Path(__file__).resolve().parent.parent
METRONIX_HOME = Path(env.text("METRONIX_HOME", ".metronix")).expanduser().absolute()
for _name, _value in stored_environment(METRONIX_HOME).items():
    if not os.environ.get(_name) and not os.environ.get(f"{_name}_FILE"):
        os.environ[_name] = _value

DEBUG = env.boolean("DEBUG", False)
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

# Identity (contract: docs/identity.md)
AUTH_ENABLED = env.boolean("AUTH_ENABLED", False)
DEFAULT_WORKSPACE_ID = env.text("DEFAULT_WORKSPACE_ID", "MTRNIX")
METRONIX_MCP_API_KEY = env.text("METRONIX_MCP_API_KEY")
METRONIX_ALLOW_OPEN = env.boolean("METRONIX_ALLOW_OPEN", False)
JWT_SECRET = env.text("JWT_SECRET")
JWT_PUBLIC_KEY = env.text("JWT_PUBLIC_KEY")
JWT_JWKS_FILE = env.text("JWT_JWKS_FILE")
JWT_ISSUER = env.text("JWT_ISSUER")
JWT_AUDIENCE = env.text("JWT_AUDIENCE")

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "metronix.adminsite.apps.MetronixAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "metronix",
    "memory",
    "mcp_gateway",
]
AUTH_USER_MODEL = "metronix.User"

MIDDLEWARE = [
    "metronix.api.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "metronix.api.middleware.OneThread",
]
ROOT_URLCONF = "metronix.urls"
ASGI_APPLICATION = "metronix.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# MCP gateway: tool calls served at once per process; each thread keeps one database connection.
METRONIX_MCP_THREADS = env.integer("METRONIX_MCP_THREADS", 8, minimum=1, maximum=200)

# Storage. The application role serves; METRONIX_DB_ROLE=owner is for migrations alone.
METRONIX_DB_ROLE = database_role()
DATABASES = {"default": database_settings()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env.text("REDIS_URL", "redis://127.0.0.1:6379/0")

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
LOGIN_URL = "/admin/login/"
LOGIN_REDIRECT_URL = "/admin/"

# Memory
METRONIX_LANGUAGE = env.text("METRONIX_LANGUAGE", "english", choices=tuple(sorted(algorithms())))
METRONIX_MEMORY_SESSION_TTL = env.integer("METRONIX_MEMORY_SESSION_TTL", 14_400, minimum=1)
METRONIX_MEMORY_SEARCH_DENSE_WEIGHT = env.decimal("METRONIX_MEMORY_SEARCH_DENSE_WEIGHT", 0.6, minimum=0, maximum=1)
METRONIX_MEMORY_SEARCH_GRAPH_WEIGHT = env.decimal("METRONIX_MEMORY_SEARCH_GRAPH_WEIGHT", 0.3, minimum=0, maximum=1)
METRONIX_MEMORY_SEARCH_SESSION_WEIGHT = env.decimal("METRONIX_MEMORY_SEARCH_SESSION_WEIGHT", 0.1, minimum=0, maximum=1)
METRONIX_RETRIEVAL_DAYS = env.integer("METRONIX_RETRIEVAL_DAYS", 30, minimum=0, maximum=36_500)
METRONIX_SEARCH_ENTITIES = env.boolean("METRONIX_SEARCH_ENTITIES", True)
METRONIX_EMBED_TIMEOUT = env.decimal("METRONIX_EMBED_TIMEOUT", 5.0, minimum=0.01)
EMBEDDER = configured_embedder()
EMBEDDER_PREVIOUS = previous_embedder()

from metronix.adminsite.settings import UNFOLD as UNFOLD  # noqa: E402
from metronix.celery_settings import *  # noqa: E402, F403
from metronix.rest_settings import *  # noqa: E402, F403

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        # The SDK reports two lines per stateless request, as if each were a session that came and went.
        "mcp": {"level": env.text("METRONIX_MCP_LOG_LEVEL", "WARNING")},
        # Beat's tasks would write several lines a second and hide what matters.
        **{name: {"level": "WARNING"} for name in ("celery.worker.strategy", "celery.app.trace", "celery.beat")},
        # A line for each request to a remote embedder.
        "httpx": {"level": "WARNING"},
        # A refusal is the caller's affair; a fault of ours is logged with its request id.
        "django.request": {"level": "ERROR"},
    },
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO")},
}
