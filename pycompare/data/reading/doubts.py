"""Signs that a table is read otherwise than its owner means it, as one question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pycompare.base.errors import DoubtError, Message, joined, parts_of, setting
from pycompare.data.reading.answers import Answers


@dataclass(frozen=True)
class Doubt:
    """A sign that a part of the table has another meaning than the one it is read with.

    Attributes
    ----------
    name : str
        As ``confirmed`` takes it.
    sign : str
        What arrived, where and how often.
    places : tuple of str
        What each confirmation is about; empty: the whole table.
    leave_out : tuple of str
        Entries of ``leave_out`` that would remove it.
    change : str
        Another way to read the table, as a request in lower case; empty if there is
        none.
    confirmable : bool
        Whether the table can be read as it stands.
    """

    name: str
    sign: str
    places: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    change: str = ""
    confirmable: bool = True

    def left_open(self, given: Answers) -> Doubt | None:
        """Return its part that the answers leave open, or None."""
        if not self.confirmable:
            return self
        if not self.places:
            return None if self.name in given.confirmed else self
        left = tuple(p for p in self.places if not given.confirm(self.name, p))
        return replace(self, places=left) if left else None

    @property
    def entries(self) -> tuple[str, ...]:
        """Entries of ``confirmed`` that answer it."""
        return tuple(f"{self.name}:{p}" for p in self.places) or (self.name,)

    @property
    def question(self) -> str:
        """The sign and all ways to answer it."""
        ways = [self.change] if self.change else []
        if self.leave_out:
            ways.append("leave it out: " + setting("leave_out", self.leave_out))
        if self.confirmable:
            right = setting("confirmed", self.entries)
            ways.append("confirm that it is right: " + right)
        sign = Message(f"{self.name}: ", *parts_of(self.sign))
        if len(ways) == 1:
            return sign + "; " + ways[0]
        return sign + ". Either " + joined(", or ", ways)


def refuse_doubts(doubts: Iterable[Doubt], given: Answers) -> tuple[str, ...]:
    """Return the confirmed doubts, or reject those that are left open.

    Raises
    ------
    DoubtError
        With all of them.
    """
    raised = list(doubts)
    left = [rest for doubt in raised if (rest := doubt.left_open(given)) is not None]
    if left:
        raise DoubtError(left, [doubt.question for doubt in left])
    return tuple(dict.fromkeys(entry for doubt in raised for entry in doubt.entries))
