"""Groups of data sets (domains): which one each block lies in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import Levels, show, show_all


def row_groups(
    owners: Levels, groups: Levels, what: str, kind: str = "group"
) -> dict[str, str]:
    """Return the group of each owner, from the labels of a table's rows.

    Parameters
    ----------
    owners : Levels
        The data set of each row; its block, if no column names data sets.
    groups : Levels
        The group of each row.
    what : {"data set", "block"}
        The kind of owners, for messages.
    kind : {"group", "cluster"}
        The kind of set they are in.

    Raises
    ------
    InputError
        If an owner lies in more than one group.
    """
    keys = np.unique(owners.codes * len(groups.labels) + groups.codes)
    places = [divmod(int(key), len(groups.labels)) for key in keys]
    pairs = [(owners.labels[i], groups.labels[j]) for i, j in places]
    return one_group_each(pairs, what, kind)


def one_group_each(
    pairs: Iterable[tuple[str, str]], what: str, kind: str = "group"
) -> dict[str, str]:
    """Return the group of each owner; reject an owner in more than one."""
    groups: dict[str, dict[str, None]] = {}
    for owner, group in pairs:
        groups.setdefault(owner, {})[group] = None
    torn = {owner: tuple(names) for owner, names in groups.items() if len(names) > 1}
    if torn:
        first, names = next(iter(torn.items()))
        raise InputError(
            f"a {what} lies in one {kind}, and {counted(len(torn), what)} "
            f"{'lies' if len(torn) == 1 else 'lie'} in more, first: {show(first)} in "
            f"{show_all(names)}; give all its rows the same {kind}, or the {what}s "
            "different names"
        )
    return {owner: next(iter(names)) for owner, names in groups.items()}
