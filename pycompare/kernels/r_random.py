"""Random numbers that R draws too, digit by digit: ``set.seed(seed); runif(n)``.

Two lines of code give the same uniforms in R. R's default generator is the Mersenne
Twister, which NumPy has in C; only the way from the seed to its state, and from its
words to numbers in (0, 1), is R's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import is_whole
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Bools, Floats

_MOST_SEED = 2**31 - 1
"""The largest seed that ``set.seed`` takes."""
_WORDS = 624
"""Words of the Mersenne Twister's state."""
_SCRAMBLES = 50
_UNIT = 2.3283064365386963e-10
_HALF = 2**31
"""The first word whose number is not below 1/2."""
_SMALLEST = 0.5 * 2.328306437080797e-10
"""What R gives for the word 0, so that no number is 0."""


def checked_seed(seed: Any) -> int:
    """Return a seed that R's ``set.seed`` takes, or reject it."""
    if not is_whole(seed) or not 0 <= seed <= _MOST_SEED:
        raise InputError(
            f"seed={show(seed)}: give a whole number from 0 to {_MOST_SEED}"
        )
    return int(seed)


def checked_count(name: str, count: Any) -> int:
    """Return a number of random draws, or reject it."""
    if not is_whole(count) or count < 1:
        raise InputError(f"{name}={count!r}: give a whole number, 1 or more")
    return int(count)


class Uniforms:
    """The stream of ``set.seed(seed, "Mersenne-Twister"); runif(...)``.

    Parameters
    ----------
    seed : int
        From 0 to 2147483647.
    """

    def __init__(self, seed: int) -> None:
        generator = np.random.MT19937(0)
        generator.state = {
            "bit_generator": "MT19937",
            "state": {"key": _state_of(seed), "pos": _WORDS},
        }
        self._generator = np.random.Generator(generator)

    def _words(self, *shape: int) -> NDArray[np.uint32]:
        """Return the next words of the Mersenne Twister."""
        return self._generator.integers(0, 2**32, shape, np.uint32)

    def draw(self, *shape: int) -> Floats:
        """Return the next numbers of the stream, the last axis first.

        In R, ``array(runif(...), rev(shape))``.
        """
        words = self._words(*shape)
        uniforms = np.asarray(words * _UNIT, float)
        uniforms[words == 0] = _SMALLEST
        return uniforms

    def heads(self, *shape: int) -> Bools:
        """Return whether the next numbers of the stream are below 1/2."""
        return self._words(*shape) < _HALF

    def bits(self, *shape: int) -> NDArray[np.uint8]:
        """Return the 32 bits of each of the next numbers, the lowest first, in bytes.

        In R, those of ``floor(2^32 * runif(...))``. The last axis is 4 times as long.
        """
        return self._words(*shape).astype("<u4", copy=False).view(np.uint8)


def _state_of(seed: int) -> NDArray[np.uint32]:
    """Return the state that R fills from a seed by a linear congruence.

    The first word after the scrambling is the place in the state, which R sets to its
    end whatever the seed.
    """
    words = np.empty(_SCRAMBLES + 1 + _WORDS, np.uint32)
    word = seed
    for i in range(len(words)):
        word = (69069 * word + 1) % 2**32
        words[i] = word
    return words[_SCRAMBLES + 1 :]
