"""Numbers of rliable 1.2.0, kept in witness.json with the scores they are of.

    python validation/rliable/witness.py DIAMOND.json SPR.json SIMPLE.json NOTEBOOK

Run it in an environment of its own (``pip install rliable "pandas<3"``). ``DIAMOND`` is
``results/data/DIAMOND.json`` of eloialonso/diamond (MIT, see NOTICE), five runs on 26
games; its scores are kept. ``SPR`` and ``SIMPLE`` are files of eloialonso/iris with the
runs of rliable's published example (Atari 100k, 100 and 5 runs); their scores are not
kept, only aggregates. ``NOTEBOOK`` is rliable's ``deep_rl_precipice_colab.ipynb``
(3ccd9f4), which has the reference scores, and prints the median and mean of SPR.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rliable import library, metrics

DRAWS, SEED = 50_000, 1
TINY = {  # tests/rliable/metrics_test.py: runs x tasks
    "x": [[1, 2], [2, 2], [1, 1], [2, 1]],
    "y": [[1, 1], [2, 2], [3, 3]],
}


def references(notebook: dict[str, Any], name: str) -> dict[str, float]:
    """Return the scores of a random agent or of people that the notebook lists."""
    for cell in notebook["cells"]:
        found = re.search(name + r"_SCORES = (\{.*?\})", "".join(cell["source"]), re.S)
        if found and "Kangaroo" in found[1] and "ALL_" not in found[0]:
            return dict(json.loads(re.sub(r",\s*\}", "}", found[1].replace("'", '"'))))
    raise ValueError(name)


def printed(notebook: dict[str, Any]) -> dict[str, float]:
    """Return the median and mean of SPR that the notebook prints."""
    texts = [
        "".join(output.get("text", []))
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]
    [found] = re.findall(r"for SPR:\n.*?Median: (\S+), Mean: (\S+)", "".join(texts))
    return {"median": float(found[0]), "mean": float(found[1])}


def aggregates(x: Any) -> Any:
    """Return rliable's aggregates of runs x tasks."""
    return np.array(
        [
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_median(x),
            metrics.aggregate_optimality_gap(x, 1.0),
        ]
    )


NAMES = ("iqm", "mean", "median", "optimality_gap")


def intervals(x: Any) -> dict[str, Any]:
    """Return the percentile limits, and the seconds of processor time they took."""
    np.random.seed(SEED)
    began = time.process_time()
    _, limits = library.get_interval_estimates({"x": x}, aggregates, reps=DRAWS)
    seconds = time.process_time() - began
    return {"low": dict(zip(NAMES, limits["x"][0], strict=True)),
            "high": dict(zip(NAMES, limits["x"][1], strict=True)),
            "seconds": seconds}  # fmt: skip


def main() -> None:
    """Write witness.json."""
    diamond, spr, simple, notebook = (
        json.loads(Path(path).read_text()) for path in sys.argv[1:5]
    )
    low, high = (references(notebook, name) for name in ("RANDOM", "HUMAN"))
    games = sorted(diamond)

    def matrix(scores: dict[str, list[float]]) -> Any:
        columns = [
            (np.array(scores[game]) - low[game]) / (high[game] - low[game])
            for game in games
        ]
        return np.stack(columns, axis=1)

    own, of_spr, of_simple = matrix(diamond), matrix(spr), matrix(simple)
    tau = [0.0, 0.25, 0.5, 1.0, 2.0]
    tiny = {name: np.array(x) for name, x in TINY.items()}
    first, last = own[:2], own[2:]
    np.random.seed(SEED)
    witness = {
        "made_with": {"rliable": "1.2.0", "numpy": np.__version__},
        "scores": diamond,
        "random": {game: low[game] for game in games},
        "human": {game: high[game] for game in games},
        "aggregates": {
            "four runs": dict(zip(NAMES, aggregates(own[:4]).tolist(), strict=True)),
            "five runs": dict(zip(NAMES, aggregates(own).tolist(), strict=True)),
            "five runs, four times": dict(
                zip(NAMES, aggregates(np.tile(own, (4, 1))).tolist(), strict=True)
            ),
        },
        "intervals of four runs": intervals(own[:4]),
        "draws": DRAWS,
        "improvement": {
            "runs 1 and 2 over 3 to 5": metrics.probability_of_improvement(first, last),
            "tiny": metrics.probability_of_improvement(tiny["x"], tiny["y"]),
        },
        "tiny": TINY,
        "profile of five runs": {
            "tau": tau, "share": library.score_distributions(own, tau).tolist(),
        },
        "published": {
            "sha256 of SPR": hashlib.sha256(Path(sys.argv[2]).read_bytes()).hexdigest(),
            "printed": printed(notebook),
            "SPR": dict(zip(NAMES, aggregates(of_spr).tolist(), strict=True)),
            "SimPLe": dict(zip(NAMES, aggregates(of_simple).tolist(), strict=True)),
            "SPR over SimPLe": metrics.probability_of_improvement(of_spr, of_simple),
        },
    }  # fmt: skip
    Path(__file__).with_name("witness.json").write_text(
        json.dumps(witness, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
