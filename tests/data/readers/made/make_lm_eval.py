"""Samples of lm-evaluation-harness (lm_eval 0.4.13), with its dummy model.

``python make_lm_eval.py`` where lm_eval is installed: two models, one task with two
filters, one with one. The answers are those of the dummy model, with another seed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent / "lm-eval"
TASKS = HERE / "tasks"
CHOICE = """task: quiz
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: ["yes", "no"]
doc_to_target: answer
metric_list: [{{metric: acc}}]
"""
GENERATED = """task: sums
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["x"]}}
metric_list: [{{metric: exact_match}}]
filter_list:
  - name: strict
    filter: [{{function: regex, regex_pattern: "(l+)"}}, {{function: take_first}}]
  - name: loose
    filter: [{{function: take_first}}]
"""


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    TASKS.mkdir(parents=True)
    data = TASKS / "data.json"
    answers = [0, 1, 1, 0, 1, 0]
    docs = [{"question": f"q{i}?", "answer": a} for i, a in enumerate(answers)]
    data.write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    (TASKS / "quiz.yaml").write_text(CHOICE.format(data=data))
    (TASKS / "sums.yaml").write_text(GENERATED.format(data=data))
    for seed, model in ((1, "first"), (2, "second")):
        out = HERE / "out"
        command = ["-m", "lm_eval", "run", "--model", "dummy", "--tasks", "quiz,sums"]
        options = ["--include_path", str(TASKS), "--log_samples", "--seed", str(seed)]
        where = ["--output_path", str(out)]
        subprocess.run([sys.executable, *command, *options, *where], check=True)
        [folder] = {path.parent for path in out.rglob("samples_*.jsonl")}
        (HERE / model).mkdir()
        for path in folder.glob("samples_*.jsonl"):
            shutil.copy(path, HERE / model / path.name)
        shutil.rmtree(out)
    shutil.rmtree(TASKS)


if __name__ == "__main__":
    make()
