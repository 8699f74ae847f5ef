"""Make per_instance_stats.json of two models by HELM's own metrics and writer.

``pip install crfm-helm==0.5.16``; then ``python make_helm.py``. Four instances of one
scenario, two trials and a copy with typos are answered here; HELM (Apache-2.0) holds
each answer as its ``Stat``, removes what is no number and writes what its runner does.
No model is run. The stored files are of a run with empty stand-ins for torch, which is
only imported; a run with torch writes the same.
"""

import json
import os
from pathlib import Path

from helm.benchmark.augmentations.perturbation_description import (
    PerturbationDescription,
)
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.runner import remove_per_instance_stats_nans
from helm.common.general import asdict_without_nones, ensure_directory_exists, write

HERE = Path(__file__).parent / "helm"
RIGHT = {"org/first": (1, 1, 0, 1), "org/second": (1, 0, 0, None)}


def stats(model, instance, trial, copy):
    name = MetricName("exact_match", split="test", perturbation=copy)
    right = RIGHT[model][instance]
    value = float("nan") if right is None else float(right and copy is None)
    found = [Stat(name).add(value)]
    found.append(Stat(MetricName("num_prompt_tokens", split="test")).add(40 + trial))
    return PerInstanceStats(f"id{instance}", copy, trial, found)


def main():
    typos = PerturbationDescription(name="typos", robustness=True, seed=1)
    for model in RIGHT:
        held = [
            stats(model, instance, trial, copy)
            for trial in (0, 1)
            for copy in (None, typos)
            for instance in range(4)
        ]
        folder = HERE / f"quiz,model={model.replace('/', '_')}"
        ensure_directory_exists(str(HERE))
        ensure_directory_exists(str(folder))
        kept = remove_per_instance_stats_nans(held)
        text = json.dumps(list(map(asdict_without_nones, kept)), indent=2)
        write(os.path.join(folder, "per_instance_stats.json"), text)


if __name__ == "__main__":
    main()
