"""Words for the hypotheses that are adjusted together."""

from __future__ import annotations


def family_text(
    a: int, control: str | None = None, on: str = "", nouns: str = "algorithms"
) -> str:
    """Return ``all 6 pairs of 4 algorithms``, or the comparisons with the control.

    ``on`` follows the pairs, with its own space: `` on kappa``.
    """
    m = a - 1 if control is not None else a * (a - 1) // 2
    if control is not None:
        many = "the one comparison" if m == 1 else f"{m} comparisons"
        return f"{many} with the control {control}{on}"
    if m == 1:
        return f"the one pair of {nouns}{on}"
    return f"all {m} pairs of {a} {nouns}{on}"
