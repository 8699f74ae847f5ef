"""Tables of battles: two models and which of them won."""

from __future__ import annotations

from collections.abc import Collection

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
