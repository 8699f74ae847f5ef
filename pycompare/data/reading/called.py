"""Roles of columns that are plain from their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from pycompare.data.roles import CASES_ONLY, ROLES

CALLED = {
    role.name: role.called
    for role in ROLES.values()
    if role.called and role.name not in CASES_ONLY
}
"""Name of a column whose role is plain from its name."""
OF_CASES = {name: ROLES[name].called for name in CASES_ONLY}
"""The same of predictions, one row per case."""


def proposals(
    names: Iterable[str], roles: Mapping[str, tuple[str, ...]] = CALLED
) -> dict[str, str]:
    """Return the column of each role that is plain from one name alone.

    Of two columns called as blocks are, one of which is called fold, the other one
    holds the data sets.
    """
    names, by_role = tuple(names), {}
    for role, words in roles.items():
        called = _called(names, words)
        if len(called) == 1:
            by_role[role] = called[0]
        folds = [name for name in called if _role_word(name) == "fold"]
        if role == "block" and len(called) == 2 and len(folds) == 1:
            if not _called(names, roles.get("dataset", ())):
                [by_role["block"]] = folds
                [by_role["dataset"]] = {*called} - {*folds}
    if "block" not in by_role and "dataset" in by_role:
        by_role["block"] = by_role.pop("dataset")
    return by_role


def _called(names: Iterable[str], words: Collection[str]) -> list[str]:
    """Return the names that are words of a role; less plain ones if there are none."""
    held, words = [*names], {*words}
    called = [name for name in held if name.casefold() in words]
    called = called or [name for name in held if _role_word(name) in words]
    return called or [name for name in held if words & _last_words(name)]


def names_folds(name: str) -> bool:
    """Return whether the last word of a column's name is fold."""
    return re.split(r"[\W_]+", name.casefold())[-1] in ("fold", "folds")


_OF_TRACKERS = ("params.", "param.", "tags.", "config.")
"""What MLflow and Weights & Biases put before what a run was called with."""


def _role_word(name: str) -> str:
    """Return the name of a column, less ``params.``, ``name``, ``label``, ``id``."""
    text = name.casefold()
    for start in _OF_TRACKERS:
        text = text.removeprefix(start)
    for end in ("name", "label", "id"):
        text = text.removesuffix(end).rstrip("_ -.")
    return text


def _last_words(name: str) -> set[str]:
    """Return the possible meanings of the last part of a nested name."""
    first, point, last = name.rpartition(".")
    return {last.casefold(), _role_word(last)} if first and point else set()


def has_readers(names: Iterable[str]) -> bool:
    """Return whether columns are called reader and modality."""
    return {"reader", "modality"} <= {*map(_role_word, names)}


_MODELS = (
    {"model_a", "model_b"},
    {"model1", "model2"},
    {"model_1", "model_2"},
    {"player_a", "player_b"},
    {"generator_1", "generator_2"},
)
_WON = ("winner", "winner_model", "preference", "outcome", "is_tie", "vote")
OF_BATTLES = (
    "rows seem to be battles: two models and which of them won, without a score of "
    "each. Battles are ranked by pycompare battles FILE, in Python pc.read_battles and "
    "pc.battles. If each model also has scores of its own on common items, give those "
    "here, a row for each model and item"
)


def of_battles(names: Collection[str]) -> bool:
    """Return whether columns are two models and a winner.

    Examples
    --------
    >>> of_battles(["question_id", "model_a", "model_b", "winner"])
    True
    >>> of_battles(["model_a", "model_b", "item"])
    False
    """
    lower = {name.casefold() for name in names}
    won = any(name.startswith(_WON) for name in lower)
    return won and any(pair <= lower for pair in _MODELS)
