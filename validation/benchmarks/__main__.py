"""Print every benchmark: ``python -m validation.benchmarks [--json]``."""

import json
import sys

from validation.benchmarks import (
    calls,
    curves,
    datasets,
    flips,
    hotelling,
    linear,
    manova,
    measures,
    models,
    multireader,
    permutation,
    ranks,
    startup,
    tables,
)

MODULES = (
    calls,
    ranks,
    flips,
    linear,
    manova,
    hotelling,
    permutation,
    curves,
    datasets,
    measures,
    models,
    multireader,
    startup,
    tables,
)


def main() -> None:
    rows = []
    for module in MODULES:
        for row in module.benchmarks():
            rows.append(row)
            if "--json" not in sys.argv:
                print(row.line(), flush=True)
    if "--json" in sys.argv:
        print(json.dumps([row.__dict__ for row in rows], indent=1))


main()
