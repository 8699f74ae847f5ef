"""Make summary.json of two models by nnU-Net's own evaluation.

``pip install nnunetv2==2.8.1``; then ``python make_nnunet.py``. Label maps of six cases
are drawn here; nnU-Net (Apache-2.0) compares them with ``evaluate_simple`` and writes
the summaries of two folds into this folder. One case has no label 2 in either map. The
stored files are of a run with empty stand-ins for torch, which the evaluation only
imports; a run with torch has the same numbers.
"""

import tempfile
from pathlib import Path

import numpy as np
import SimpleITK
from nnunetv2.evaluation.evaluate_predictions import compute_metrics_on_folder_simple

HERE = Path(__file__).parent / "nnu-net"
LABELS = [1, 2, (1, 2)]


def write(folder, name, labels):
    folder.mkdir(parents=True, exist_ok=True)
    SimpleITK.WriteImage(SimpleITK.GetImageFromArray(labels), folder / f"{name}.nii.gz")


def main():
    rng = np.random.default_rng(3)
    for fold in (0, 1):
        with tempfile.TemporaryDirectory() as made:
            for i in range(3):
                true = np.zeros((4, 8, 8), np.uint8)
                true[:, 1:6, 1:6] = 1
                true[1:3, 2:5, 2:5] = 2 if (fold, i) != (1, 2) else 1
                write(Path(made) / "labels", f"case_{fold}{i}", true)
                for model, wrong in (("plain", 0.15), ("resenc", 0.08)):
                    said = np.where(rng.random(true.shape) < wrong, 0, true)
                    write(Path(made) / model, f"case_{fold}{i}", said.astype(np.uint8))
            for model in ("plain", "resenc"):
                out = HERE / model / f"fold_{fold}" / "validation"
                out.mkdir(parents=True, exist_ok=True)
                compute_metrics_on_folder_simple(
                    str(Path(made) / "labels"),
                    str(Path(made) / model),
                    LABELS,
                    str(out / "summary.json"),
                    num_processes=1,
                )


if __name__ == "__main__":
    main()
