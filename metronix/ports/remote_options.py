"""What is configured about a remote embedder. Beside its package, so that the settings need not load numpy."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

TYPES: dict[str, tuple[type, ...]] = {"str": (str,), "bool": (bool,), "int": (int,), "float": (int, float)}


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """An OpenAI-compatible embeddings endpoint and how to speak to it.

    `url` is the API's base (`http://localhost:11434/v1`). Models that tell questions from passages do so by a prefix
    of the text or, with `input_types`, by the request's field `input_type` ("query" or "passage"). `dimensions` 0
    takes any size. `timeout` is for one call with all its retries, in seconds.
    """

    url: str
    model: str
    api_key: str = ""
    label: str = "remote"
    query_prefix: str = ""
    passage_prefix: str = ""
    input_types: bool = False
    dimensions: int = 0
    window_tokens: int = 400
    batch: int = 32
    timeout: float = 60.0
    connect_timeout: float = 3.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the embedder's URL must be of the form http://host:port/v1")
        if not self.model:
            raise ValueError("the embedder's model must be named")

    @property
    def name(self) -> str:
        """The model's name in the database: the same wherever it is served, another where the vectors would differ."""
        shape = (self.query_prefix, self.passage_prefix, self.input_types)
        suffix = ""
        if any(shape):
            suffix = "#" + hashlib.blake2b(json.dumps(shape).encode(), digest_size=4).hexdigest()
        return f"{self.model}@{self.label}{suffix}"[:128]

    @property
    def endpoint(self) -> str:
        """Where requests go."""
        base = self.url.rstrip("/")
        return base if base.endswith("/embeddings") else f"{base}/embeddings"

    @property
    def host(self) -> str:
        """Host and port, for messages: nothing secret that a URL may carry."""
        parts = urlsplit(self.url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> RemoteOptions:
        """From JSON or settings; `ValueError` names a field that does not exist or has the wrong type."""
        known = {field.name: field for field in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"unknown field {name!r}; there are {', '.join(known)}")
            wanted = TYPES[str(known[name].type)]
            if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
                raise ValueError(f"{name} is of the wrong type")
        try:
            return cls(**given)
        except TypeError:
            raise ValueError("url and model are required") from None
