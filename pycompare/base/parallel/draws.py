"""Random draws in blocks: each block may be done elsewhere, with the same numbers.

A block begins at the end of the block before it. The first process passes over all
draws to know these places of the stream, which is cheaper than the work on the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from operator import call
from typing import Any, TypeVar

from pycompare.base.parallel.place import current_place
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.worker import inside_task, run_here

LEAST = 2**25
"""Random numbers from which work is shared out: about a second of it."""

OfDraws = TypeVar("OfDraws")
Found = TypeVar("Found")


def is_shared_out(numbers: int) -> bool:
    """Return whether work on so many random numbers goes to workers."""
    return numbers >= LEAST and not inside_task() and current_place().several


def on_draws(
    function: Callable[[Any, OfDraws], Found],
    constants: Any,
    draw: Callable[[Any, int], OfDraws],
    stream: Any,
    sizes: Iterable[int],
    numbers: int,
) -> Iterator[Found]:
    """Yield ``function(constants, draw(stream, size))`` of each size, in their order.

    Parameters
    ----------
    function, constants
        As of ``tasks``.
    draw : callable
        Takes the next draws from the stream: a generator, or several.
    stream : object
        Stands after the last draw in the end.
    sizes : iterable of int
        Draws of each block.
    numbers : int
        Random numbers of all blocks: few are not shared out.
    """
    if not is_shared_out(numbers):
        do = run_here if numbers >= LEAST else call
        for size in sizes:
            yield do(function, constants, draw(stream, size))
        return
    places = []
    for size in sizes:
        places.append((deepcopy(stream), size))
        draw(stream, size)
    yield from tasks(_block, (function, constants, draw), places, what="blocks")


def _block(held: tuple[Any, Any, Any], place: tuple[Any, int]) -> Any:
    """Do one block of draws."""
    function, constants, draw = held
    return function(constants, draw(*place))


def portions(count: int, most: int) -> list[int]:
    """Return the sizes of portions of so many draws, at most ``most`` each."""
    step = max(1, most)
    return [min(step, count - start) for start in range(0, count, step)]
