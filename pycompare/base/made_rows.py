"""Rows that are made when they are read: of a million pairs a page shows a few."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class MadeRows(Sequence[T]):
    """A sequence whose entries are made from columns when they are read.

    It is equal to any sequence with equal entries; a slice is a tuple.

    Parameters
    ----------
    n : int
    make : callable, optional
        Returns the entry of a place from 0; or a class has it as its method ``_make``.
        (A method of its own that a sequence holds would keep it from being freed.)
    """

    def __init__(self, n: int, make: Callable[[int], T] | None = None) -> None:
        self._n = n
        if make is not None:
            self._make = make  # type: ignore[method-assign]

    def _make(self, row: int, /) -> T:
        raise NotImplementedError

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(map(self._make, range(self._n)[at]))
        return self._make(range(self._n)[at])

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._n))

    def __eq__(self, other: object) -> bool:
        if self is other:  # entries with NaN, too, as in a tuple
            return True
        if not isinstance(other, tuple | list | MadeRows):
            return NotImplemented
        same_size = len(self) == len(other)
        return same_size and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
