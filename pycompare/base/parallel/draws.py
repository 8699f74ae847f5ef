"""Random draws in blocks: each block may be done elsewhere, with the same numbers.

A block begins at the end of the block before it. The first process passes over all
draws to know these places of the stream, which is cheaper than the work on the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

from pycompare.base.parallel.place import current_place
from pycompare.base.parallel.progress import Progress
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished, identity
from pycompare.base.parallel.worker import inside_task, run_here

LEAST = 2**25
"""Random numbers from which work is shared out and kept: about a second of it."""

OfDraws = TypeVar("OfDraws")
Found = TypeVar("Found")


def is_shared_out(numbers: int) -> bool:
    """Return whether work on so many random numbers goes to workers."""
    return numbers >= LEAST and not inside_task() and current_place().several


def kept_draws(*of: Any) -> Unfinished:
    """Return where finished blocks are kept, of functions and values."""
    return Unfinished(lambda: identity(_told(of)), what="draws")


def on_draws(
    function: Callable[[Any, OfDraws], Found],
    constants: Any,
    draw: Callable[[Any, int], OfDraws],
    stream: Any,
    sizes: Sequence[int],
    numbers: int,
) -> Iterator[Found]:
    """Yield ``function(constants, draw(stream, size))`` of each size, in their order.

    Parameters
    ----------
    function, constants
        As of ``tasks``. The function returns plain values and arrays.
    draw : callable
        Takes the next draws from the stream: a generator, or several.
    stream : object
        Stands after the last draw in the end.
    sizes : sequence of int
        Draws of each block.
    numbers : int
        Random numbers of all blocks: few are neither shared out nor kept.
    """
    if numbers < LEAST or inside_task():
        for size in sizes:
            yield function(constants, draw(stream, size))
        return
    kept = kept_draws(function, constants, draw, stream, sizes)
    if is_shared_out(numbers):
        places = []
        for size in sizes:
            places.append((deepcopy(stream), size))
            draw(stream, size)
        held = function, constants, draw
        yield from tasks(_block, held, places, what="blocks", kept=kept)
        return
    done, progress = kept.done(len(sizes)), Progress(len(sizes), "blocks")
    progress.resumed(len(done))
    for at, size in enumerate(sizes):
        drawn = draw(stream, size)  # of a finished block, too: the next one follows
        if at not in done:
            done[at] = run_here(function, constants, drawn)
            kept.keep(at, done[at])
            progress.step()
        yield done.pop(at)


def _block(held: tuple[Any, Any, Any], place: tuple[Any, int]) -> Any:
    """Do one block of draws."""
    function, constants, draw = held
    return function(constants, draw(*place))


def _told(value: Any) -> Any:
    """Return the same with names and contents in the place of functions."""
    if isinstance(value, partial):
        return "partial", _told((value.func, value.args, value.keywords))
    if isinstance(value, FunctionType):
        held = [cell.cell_contents for cell in value.__closure__ or ()]
        return value.__module__, value.__qualname__, _told((held, value.__defaults__))
    if isinstance(value, dict):
        return {key: _told(of_key) for key, of_key in value.items()}
    return [*map(_told, value)] if type(value) in (list, tuple) else value


def portions(count: int, most: int) -> list[int]:
    """Return the sizes of portions of so many draws, at most ``most`` each."""
    step = max(1, most)
    return [min(step, count - start) for start in range(0, count, step)]
