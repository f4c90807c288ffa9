"""Settings of the REST door."""

from __future__ import annotations

from typing import Any

from metronix import __version__, env

METRONIX_MAX_BODY_BYTES = env.integer("METRONIX_MAX_BODY_BYTES", 16 * 1024 * 1024, minimum=1024)
# What Django itself reads into memory (forms, request.body); the ASGI application refuses more while it arrives.
DATA_UPLOAD_MAX_MEMORY_SIZE = METRONIX_MAX_BODY_BYTES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000

METRONIX_LOGIN_HOURS = env.integer("METRONIX_LOGIN_HOURS", 12, minimum=1, maximum=24 * 365)
METRONIX_LOGIN_WINDOW = env.integer("METRONIX_LOGIN_WINDOW", 300, minimum=1)
METRONIX_LOGIN_ACCOUNT_ATTEMPTS = env.integer("METRONIX_LOGIN_ACCOUNT_ATTEMPTS", 10, minimum=1)
METRONIX_LOGIN_ADDRESS_ATTEMPTS = env.integer("METRONIX_LOGIN_ADDRESS_ATTEMPTS", 100, minimum=1)
AUTHENTICATION_BACKENDS = ["metronix.tenancy.login.ThrottledBackend"]

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Metronix",
    "DESCRIPTION": (
        "Memory for AI agents. Every route takes the same credentials: a user token or an API key as "
        "`Authorization: Bearer`, an API key as `X-API-Key`, or an admin session with its CSRF token. `X-Agent-Id` "
        "names the agent a call is made for. Every reply carries `X-Request-Id`."
    ),
    "VERSION": __version__,
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [],
    # Assets come from this server: the page works without a network.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False, "validatorUrl": None},
}
