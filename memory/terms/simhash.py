"""SimHash: a 64-bit fingerprint in which texts that share most of their terms differ in few bits.

Charikar, "Similarity estimation techniques from rounding algorithms" (STOC 2002); each term votes on each bit with
its frequency.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

BITS = 64


def simhash(counter: Mapping[str, int]) -> int:
    """The fingerprint as a signed 64-bit integer (PostgreSQL's bigint); 0 for a text without terms."""
    if not counter:
        return 0
    digests = b"".join(hashlib.blake2b(term.encode("utf-8"), digest_size=8).digest() for term in counter)
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8)).reshape(len(counter), BITS).astype(np.int64)
    votes = np.array(list(counter.values()), dtype=np.int64) @ (2 * bits - 1)
    unsigned = int.from_bytes(np.packbits(votes > 0).tobytes(), "big")
    return unsigned - (1 << BITS) if unsigned >= 1 << (BITS - 1) else unsigned


def distance(a: int, b: int) -> int:
    """Number of differing bits, 0..64."""
    return ((a ^ b) & ((1 << BITS) - 1)).bit_count()
