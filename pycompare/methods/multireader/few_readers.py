"""How far off the published test of a pair is with few readers.

The numbers are the largest of the study ``reader-pairs``, see
``validation/MULTIREADER.md``; a test holds them against it.
"""

from __future__ import annotations

from typing import NamedTuple


class LargestError(NamedTuple):
    """Largest share of studies in which a true hypothesis is rejected, and where."""

    readers: int
    share: str
    where: str


_OF_TWO = (
    LargestError(2, "10.6%", "2 modalities x 2 readers"),
    LargestError(3, "7.2%", "2 modalities x 3 readers"),
    LargestError(4, "6.3%", "2 modalities x 4 readers"),
)
"""Two modalities; with more readers the level is kept."""
_OF_SEVERAL = (
    LargestError(2, "69.9%", "8 modalities x 2 readers"),
    LargestError(3, "33.9%", "8 modalities x 3 readers"),
    LargestError(4, "19.8%", "8 modalities x 4 readers"),
    LargestError(5, "13.2%", "8 modalities x 5 readers"),
    LargestError(6, "10.3%", "8 modalities x 6 readers"),
)
"""Three or more modalities: up to how many readers."""
_ENOUGH = {True: 5, False: 10}
"""Readers from which on two modalities (True), or several, keep the level at 0.05."""


def largest_error(n_modalities: int, n_readers: int) -> LargestError | None:
    """Return the largest error of pairs by their own error; None: the level is kept.

    Between two numbers of readers of the study the error is that of the smaller one.

    Examples
    --------
    >>> largest_error(3, 8)
    LargestError(readers=6, share='10.3%', where='8 modalities x 6 readers')
    >>> largest_error(3, 10) is None
    True
    """
    two = n_modalities == 2
    if n_readers < 2 or n_readers >= _ENOUGH[two]:
        return None
    known = _OF_TWO if two else _OF_SEVERAL
    return [row for row in known if row.readers <= n_readers][-1]
