"""Runs of MLflow (mlflow-skinny), as the CSV of search_runs.

``python make_mlflow.py`` where mlflow-skinny and pandas are installed: two models, four
folds, nested in one parent run; one run fails.
"""

import shutil
from pathlib import Path

import mlflow

HERE = Path(__file__).parent / "mlflow"


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    store = HERE / "store"
    store.mkdir(parents=True)
    mlflow.set_tracking_uri(f"file:{store}")
    mlflow.set_experiment("trees")
    with mlflow.start_run(run_name="study"):
        for fold in range(4):
            for at, model in enumerate(("tree", "forest")):
                status = "FAILED" if (fold, at) == (3, 1) else "FINISHED"
                mlflow.start_run(run_name=f"{model}-{fold}", nested=True)
                mlflow.log_params({"model": model, "fold": fold, "data": "iris"})
                mlflow.log_metric("accuracy", 0.8 + 0.03 * at + fold / 100)
                mlflow.log_metric("loss", 0.5 - 0.1 * at + fold / 100)
                mlflow.end_run(status)
    table = mlflow.search_runs(order_by=["attributes.start_time ASC"])
    private = [name for name in table if name.startswith("tags.mlflow.source")]
    table = table.drop(columns=[*private, "tags.mlflow.user"], errors="ignore")
    table["artifact_uri"] = "file:artifacts"
    table.to_csv(HERE / "runs.csv", index=False)
    shutil.rmtree(store)


if __name__ == "__main__":
    make()
