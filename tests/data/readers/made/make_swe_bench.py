"""Reports of SWE-bench (swebench 5.0.2), by its own function of run logs made here.

``python make_swe_bench.py`` where swebench is installed. Logs of instances are what
its harness writes for a finished run, made up; the report is made from them.
"""

import json
import os
import shutil
from pathlib import Path

from swebench.harness.constants import LOG_REPORT, RUN_EVALUATION_LOG_DIR
from swebench.harness.reporting import make_run_report

HERE = Path(__file__).parent / "swe-bench"
RUN = "run1"
INSTANCES = [f"astropy__astropy-{i}" for i in range(4)]
INSTANCES += [f"django__django-{i}" for i in range(4)]


def report(model: str, resolved: set[int], empty: set[int], failed: set[int]) -> None:
    predictions = {}
    for i, name in enumerate(INSTANCES[:-1]):
        patch = "" if i in empty else "diff"
        one = {"instance_id": name, "model_name_or_path": model, "model_patch": patch}
        predictions[name] = one
        if i in empty | failed:
            continue
        folder = RUN_EVALUATION_LOG_DIR / RUN / model / name
        folder.mkdir(parents=True)
        told = {name: {"resolved": i in resolved}}
        (folder / LOG_REPORT).write_text(json.dumps(told))
    dataset = [{"instance_id": name} for name in INSTANCES]
    make_run_report(predictions, dataset, RUN)


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    os.chdir(HERE)
    report("model-3.5", {0, 1, 4, 5}, {2}, {6})
    report("model-3.7", {0, 1, 2, 4}, set(), {6})
    for path in HERE.iterdir():
        if path.is_dir():
            shutil.rmtree(path)


if __name__ == "__main__":
    make()
