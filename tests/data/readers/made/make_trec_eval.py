"""Measures of trec_eval by query (pytrec_eval-terrier 0.5.11 wraps its C code).

``python make_trec_eval.py`` where pytrec_eval is installed. The lines are printed in
the format of ``trec_eval -q``: measure, query, value, and the means of all queries.
"""

import random
from pathlib import Path

import pytrec_eval

HERE = Path(__file__).parent / "trec_eval"
MEASURES = {"map", "recip_rank", "P.10", "num_rel_ret"}


def make() -> None:
    HERE.mkdir(exist_ok=True)
    draw = random.Random(3)
    queries = [str(q) for q in range(301, 307)]
    truth = {q: {f"d{i}": draw.randint(0, 1) for i in range(20)} for q in queries}
    evaluator = pytrec_eval.RelevanceEvaluator(truth, MEASURES)
    for system, skill in (("bm25", 0.2), ("dense", 0.6)):
        run = {
            q: {d: skill * right + draw.random() for d, right in found.items()}
            for q, found in truth.items()
        }
        by_query = evaluator.evaluate(run)
        lines = [
            f"{measure:22}\t{query}\t{value:.4f}"
            for query, found in by_query.items()
            for measure, value in sorted(found.items())
        ]
        for measure in sorted(by_query["301"]):
            found = [one[measure] for one in by_query.values()]
            mean = pytrec_eval.compute_aggregated_measure(measure, found)
            lines.append(f"{measure:22}\tall\t{mean:.4f}")
        (HERE / f"{system}.eval").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    make()
