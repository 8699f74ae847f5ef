"""Blocks that are called alike in several groups: keyed by their group."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pycompare.base.labels import Levels, show
from pycompare.data.block_labels import pair_labels
from pycompare.data.reading.tables import LongerTable
from pycompare.data.table import DataTable

_Codes = np.ndarray


def keyed_by_group(
    table: DataTable, roles: Mapping[str, str], *, gaps: bool = False
) -> DataTable:
    """Return a table whose blocks of one name in several groups have the group in it.

    Items numbered anew in each group, as the questions of a benchmark's tasks are, are
    other items. Their labels become ``group/label``; those of the data sets do, if a
    column names data sets.

    Parameters
    ----------
    table : DataTable
    roles : mapping of str to str
        Column of each role. Labels stay as they are unless rows of several groups are
        alike without them, and each block has as many algorithms in each of its groups:
        a group that is written wrongly in some rows makes no other blocks.
    gaps : bool
        Whether cells may lack, by the missing policy: then blocks may have fewer
        algorithms in some of their groups.
    """
    role = "dataset" if "dataset" in roles else "block"
    name, group = roles.get(role), roles.get("group")
    if name not in table.names or group not in table.names or name == group:
        return table
    assert name is not None and group is not None
    owners, groups = table.levels(name), table.levels(group)
    keys = owners.codes * len(groups.labels) + groups.codes
    pairs, at = np.unique(keys, return_inverse=True)
    if (
        pairs.size == len(owners.labels)
        or not _repeats(table, roles)
        or not (gaps or _complete(table, roles, owners, at))
    ):
        return table
    places = [divmod(int(pair), len(groups.labels)) for pair in pairs]
    labels = pair_labels([(groups.labels[j], owners.labels[i]) for i, j in places])
    first = labels[int(at[0])]
    return LongerTable(
        table,
        hidden=(name,),
        labels={name: [labels[i] for i in at.tolist()]},
        label_notes=(
            f"labels of {show(name)} occur in several groups, so each begins with its "
            f"group: {show(first)}",
        ),
    )


def _repeats(table: DataTable, roles: Mapping[str, str]) -> bool:
    """Return whether two rows are alike but for their groups."""
    names = [roles[role] for role in _OF_ROWS if role in roles]
    if "score" in roles and "case" not in roles:
        return False
    codes = np.zeros(table.n_rows, np.intp)
    for name in names:
        if name not in table.names:
            return False
        levels = table.levels(name)
        codes = codes * len(levels.labels) + levels.codes
        codes = np.unique(codes, return_inverse=True)[1]
    return bool(np.unique(codes).size < table.n_rows)


_OF_ROWS = ("algorithm", "dataset", "block", "replicate", "case")
"""Roles whose labels distinguish rows of one group."""


def _complete(
    table: DataTable, roles: Mapping[str, str], owners: Levels, pair: _Codes
) -> bool:
    """Return whether a block has the same number of algorithms in all its groups."""
    column = roles.get("algorithm")
    if column not in table.names:
        return True  # each row of a wide table has them all
    assert column is not None
    levels = table.levels(column)
    k = len(levels.labels)
    of_pair = np.unique(pair * k + levels.codes) // k
    of_owner = np.unique(owners.codes * k + levels.codes) // k
    owner_of = np.zeros(pair.max() + 1, np.intp)
    owner_of[pair] = owners.codes
    held = np.bincount(of_pair, minlength=len(owner_of))
    return bool((held == np.bincount(of_owner)[owner_of]).all())
