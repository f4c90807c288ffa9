"""Any server that speaks OpenAI's `POST /v1/embeddings`: Ollama, vLLM, text-embeddings-inference, a hosted one."""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from metronix.ports.remote_options import RemoteOptions

from .base import EmbedderTimeout, EmbedderUnavailable
from .calibration import Calibration
from .deadline import seconds_left
from .responses import vectors_of
from .token_estimate import estimated_tokens

logger = logging.getLogger(__name__)

ATTEMPTS = 5
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
LONGEST_ANSWER = 300
"""Characters of a server's refusal that are passed on."""


class _Again(EmbedderUnavailable):
    """Worth another attempt, at the earliest after `wait` seconds."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class RemoteEmbedder:
    """One model behind one endpoint; safe from several threads, connections are kept.

    A refused or broken connection, 408, 429 and 5xx are tried again, 429 and 503 not before their `Retry-After`, as
    long as the caller's time allows (`call_within`) and `options.timeout` in any case. Every other failure, and an
    answer that is not exactly the vectors asked for, is `EmbedderUnavailable` at once: it would not get better.
    """

    def __init__(self, options: RemoteOptions) -> None:
        self.options = options
        self.name = options.name
        self.max_window_tokens = options.window_tokens
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._pid = 0
        self._size = options.dimensions

    @property
    def dimensions(self) -> int:
        """Numbers in a vector; asks the model once unless it is configured."""
        if not self._size:
            self.embed_query("dimensions")
        return self._size

    @property
    def calibration(self) -> Calibration:
        """A bare remote model has none: it is measured, and stored with the model (`manage.py calibrate_embedder`)."""
        raise EmbedderUnavailable(f"{self.name} is not calibrated yet: run manage.py calibrate_embedder.")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Unit vector of `text` as a query, float32 `(dimensions,)`."""
        vector: NDArray[np.float32] = self._embed([self.options.query_prefix + _sendable(text)], "query")[0]
        return vector

    def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        """Unit vectors of `texts` as passages, float32 `(len(texts), dimensions)`."""
        ready = [self.options.passage_prefix + _sendable(text) for text in texts]
        if not ready:
            return np.empty((0, self.dimensions), dtype=np.float32)
        parts = [
            self._embed(ready[start : start + self.options.batch], "passage")
            for start in range(0, len(ready), self.options.batch)
        ]
        return np.vstack(parts)

    def count_tokens(self, text: str) -> int:
        """An estimate that errs upwards: the model's own tokenizer is out of reach."""
        return estimated_tokens(self.options.passage_prefix + _sendable(text))

    def close(self) -> None:
        """Give the connections back."""
        with self._lock:
            if self._client is not None and self._pid == os.getpid():
                self._client.close()
            self._client = None

    def _embed(self, texts: list[str], side: str) -> NDArray[np.float32]:
        left = seconds_left()
        end = time.monotonic() + min(self.options.timeout, self.options.timeout if left is None else left)

        def no_time(state: RetryCallState) -> bool:
            return time.monotonic() + state.upcoming_sleep >= end

        retrying = Retrying(
            retry=retry_if_exception_type(_Again),
            stop=lambda state: stop_after_attempt(ATTEMPTS)(state) or no_time(state),
            wait=_wait,
            reraise=True,
        )
        vectors: NDArray[np.float32] = retrying(self._attempt, texts, side, end)
        return vectors

    def _attempt(self, texts: list[str], side: str, end: float) -> NDArray[np.float32]:
        seconds = end - time.monotonic()
        if seconds <= 0:
            raise EmbedderTimeout(f"no time left to ask the embedder at {self.options.host}")
        body: dict[str, Any] = {"model": self.options.model, "input": texts, "encoding_format": "float"}
        if self.options.input_types:
            body["input_type"] = side
        try:
            answer = self._connected().post(
                self.options.endpoint,
                json=body,
                timeout=httpx.Timeout(seconds, connect=min(seconds, self.options.connect_timeout)),
            )
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout):
            raise EmbedderTimeout(f"the embedder at {self.options.host} did not answer in time") from None
        except httpx.TransportError as problem:
            raise _Again(f"the embedder at {self.options.host} cannot be reached: {problem}") from None
        except httpx.HTTPError as problem:
            raise EmbedderUnavailable(f"the embedder at {self.options.host} gave no answer: {problem}") from None
        self._refuse(answer)
        vectors = vectors_of(answer.content, len(texts), self._size, self.name)
        self._size = int(vectors.shape[1])
        return vectors

    def _refuse(self, answer: httpx.Response) -> None:
        if answer.status_code == 200:
            return
        message = f"the embedder at {self.options.host} answered {answer.status_code}: {_refusal(answer)}"
        if answer.status_code in RETRIED:
            raise _Again(message, _retry_after(answer))
        raise EmbedderUnavailable(message)

    def _connected(self) -> httpx.Client:
        with self._lock:
            # Sockets must not be shared with the process that this one was forked from.
            if self._client is None or self._pid != os.getpid():
                key = self.options.api_key
                self._client = httpx.Client(
                    headers={"Authorization": f"Bearer {key}"} if key else {},
                    limits=httpx.Limits(max_connections=16, max_keepalive_connections=4),
                )
                self._pid = os.getpid()
            return self._client


_backing_off = wait_exponential_jitter(multiplier=0.1, max=5.0, jitter=0.1)


def _wait(state: RetryCallState) -> float:
    problem = state.outcome.exception() if state.outcome else None
    asked = problem.wait if isinstance(problem, _Again) else 0.0
    return max(asked, float(_backing_off(state)))


def _retry_after(answer: httpx.Response) -> float:
    """Seconds the server asks for (RFC 9110, 10.2.3); its other form, a date, is answered by backing off."""
    value = answer.headers.get("retry-after", "").strip()
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _refusal(answer: httpx.Response) -> str:
    try:
        told = answer.json()["error"]
        text = told["message"] if isinstance(told, dict) else told
    except (ValueError, KeyError, TypeError):
        text = answer.reason_phrase
    return " ".join(str(text).split())[:LONGEST_ANSWER]


def _sendable(text: str) -> str:
    if "\0" in text:
        raise ValueError("text contains NUL (U+0000)")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"text contains a lone surrogate at index {error.start}") from error
    # Some servers refuse an empty text, and with it the whole batch.
    return text if text.strip() else "."
