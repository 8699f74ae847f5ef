"""Tables of challenges for tests: drawn ones, and challengeR's by its seeds."""

import numpy as np

import pycompare as pc
from tests.conftest import golden

TEAMS = tuple(f"A{i}" for i in range(1, 6))


def published(name="random"):
    """Return 50 cases x 5 algorithms of challengeR's vignette."""
    given = golden(f"challenge_{name}")["input"]
    return np.array(given["x"]).reshape(-1, given["cases"]).T


def table(x, failed=(), task=None, patients=None):
    """Return rows of a long table; ``failed`` are cells, by R's number, without one."""
    cells = {divmod(cell - 1, len(x)) for cell in failed}
    return [
        {
            "team": TEAMS[a],
            "case": f"c{i}",
            "dice": float(x[i, a]),
            **({} if task is None else {"task": task}),
            **({} if patients is None else {"patient": f"{task}p{patients[i]}"}),
        }
        for a in range(x.shape[1])
        for i in range(len(x))
        if (a, i) not in cells
    ]


def scores_of(rows, **roles):
    """Return the scores of rows of a long table; higher is better."""
    roles = {
        "algorithm": "team",
        "block": "case",
        "metrics": {"dice": "higher"},
    } | roles
    return pc.Scores.from_frame(rows, **roles)


def drawn(n=30, a=4, seed=0, shift=0.0):
    """Return scores like Dice coefficients; the first algorithm is ``shift`` better."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(1.5, 1.0, (n, 1)) + rng.normal(0.0, 0.7, (n, a))
    latent[:, 0] += shift
    return 1 / (1 + np.exp(-latent))


def tasks(sizes=(20, 30), a=4, seed=0, failed=((), ()), **roles):
    """Return scores of tasks ``t1``, ``t2``, ... whose cases are numbered anew."""
    rows = [
        row
        for at, n in enumerate(sizes)
        for row in table(
            drawn(n, a, seed + at, 0.6),
            failed[at] if at < len(failed) else (),
            f"t{at + 1}",
            np.arange(n) // 2,
        )
    ]
    return scores_of(rows, group="task", **roles)
