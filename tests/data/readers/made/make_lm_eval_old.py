"""Samples of lm-evaluation-harness 0.4.0, which are arrays, with its dummy model.

``pip install lm_eval==0.4.0 'datasets<3' 'transformers<4.45'``; then ``python
make_lm_eval_old.py``: two models, a task with two filters and one with one. The program
(MIT) runs with its torch. Stand-ins: it loads the metric exact_match from a hub when it
is imported, for which a class that counts equal texts stands here; and its dummy model
cannot generate texts in this version, so that a subclass does.
"""

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

import evaluate

HERE = Path(__file__).parent / "lm-eval-old"
CHOICE = """task: quiz
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: ["yes", "no"]
doc_to_target: answer
metric_list: [{{metric: acc}}, {{metric: acc_norm}}]
"""
GENERATED = """task: sums
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{letters}}}}"
generation_kwargs: {{until: ["x"]}}
metric_list: [{{metric: exact_match}}]
filter_list:
  - name: strict
    filter: [{{function: regex, regex_pattern: "(l+)"}}, {{function: take_first}}]
  - name: loose
    filter: [{{function: take_first}}]
"""


class ExactMatch:
    """Stands for the metric of the hub."""

    def compute(self, predictions, references, **_):
        pairs = zip(predictions, references, strict=True)
        return {"exact_match": sum(a == b for a, b in pairs) / len(references)}


def make() -> None:
    evaluate.load = lambda _: ExactMatch()
    from lm_eval.__main__ import cli_evaluate
    from lm_eval.api.registry import register_model
    from lm_eval.models.dummy import DummyLM

    @register_model("first")
    class First(DummyLM):
        drawn = 0
        letters = ("lol", "l")

        def loglikelihood(self, requests):
            for _ in range(self.drawn):
                random.random()
            return super().loglikelihood(requests)

        def generate_until(self, requests):
            return [self.letters[i % 2] for i, _ in enumerate(requests)]

    @register_model("second")
    class Second(First):
        drawn = 1
        letters = ("l", "lol")

    shutil.rmtree(HERE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        tasks = Path(folder)
        data = tasks / "data.json"
        docs = [
            {"question": f"q{i}?", "answer": i % 2, "letters": "lol" if i % 3 else "l"}
            for i in range(4)
        ]
        data.write_text("".join(json.dumps(doc) + "\n" for doc in docs))
        (tasks / "quiz.yaml").write_text(CHOICE.format(data=data))
        (tasks / "sums.yaml").write_text(GENERATED.format(data=data))
        for model in ("first", "second"):
            sys.argv = ["lm_eval", "--model", model, "--tasks", "quiz,sums"]
            sys.argv += ["--model_args", f"pretrained=org/{model}", "--log_samples"]
            sys.argv += ["--include_path", folder, "--output_path", str(HERE / model)]
            cli_evaluate()


if __name__ == "__main__":
    make()
