"""Evaluations of OpenML (openml), by the classes of its client, with values made up.

``python make_openml.py`` where openml is installed. The server is not asked: the rows
are OpenMLEvaluation objects, written as ``list_evaluations(output_format="dataframe")``
does.
"""

from pathlib import Path

import pandas as pd
from openml.evaluations import OpenMLEvaluation

HERE = Path(__file__).parent / "openml"
FLOWS = {"sklearn.tree.DecisionTreeClassifier(1)": 0.8, "weka.J48(2)": 0.82}


def evaluation(run: int, task: int, flow: int, **values) -> OpenMLEvaluation:
    name = list(FLOWS)[flow]
    return OpenMLEvaluation(
        run_id=run, task_id=task, setup_id=100 + flow, flow_id=10 + flow,
        flow_name=name, data_id=task, data_name=f"data{task}",
        function="predictive_accuracy",
        upload_time="2026-01-02 03:04:05", uploader=1, uploader_name="user",
        **values,
    )  # fmt: skip


def make() -> None:
    HERE.mkdir(exist_ok=True)
    means, folds = [], []
    for task in (3, 6, 11):
        for flow, level in enumerate(FLOWS.values()):
            run = 10 * task + flow
            scores = [level + task / 100 + i / 50 - flow * i / 40 for i in range(4)]
            mean = {"value": sum(scores) / 4, "values": None}
            means.append(evaluation(run, task, flow, **mean))
            folds.append(evaluation(run, task, flow, value=None, values=scores))
    for name, rows in (("means", means), ("folds", folds)):
        table = pd.DataFrame.from_records([vars(row) for row in rows])
        table.to_csv(HERE / f"{name}.csv", index=False)


if __name__ == "__main__":
    make()
