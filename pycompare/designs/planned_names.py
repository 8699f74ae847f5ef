"""Names of the algorithms of a planned study."""

from __future__ import annotations

from collections.abc import Sequence

from pycompare.base.arguments import is_whole
from pycompare.base.errors import InputError, setting


def names_of(
    plan_name: str,
    listed: Sequence[str],
    control: str | None,
    n_algorithms: int | None,
    kind: str = "algorithm",
) -> tuple[str, ...]:
    """Return the algorithms that a plan lists, or names for so many.

    ``kind``: algorithm or modality.
    """
    if n_algorithms is None and not listed:
        raise InputError(
            f"{plan_name} does not list the {kind}s, so their number is "
            "missing: give it, as in --n-algorithms 5"
        )
    if n_algorithms is None:
        return tuple(listed)
    if not is_whole(n_algorithms) or n_algorithms < 2:
        raise InputError(
            setting("n_algorithms", n_algorithms) + ": give a whole number, 2 or more"
        )
    if listed and len(listed) != n_algorithms:
        raise InputError(
            setting("n_algorithms", n_algorithms)
            + f": {plan_name} lists {len(listed)} {kind}s; leave one out"
        )
    if listed:
        return tuple(listed)
    named = () if control is None else (control,)
    numbered = (f"{kind} {i + 1}" for i in range(n_algorithms + 1))
    others = [name for name in numbered if name != control]
    return (*named, *others)[:n_algorithms]
