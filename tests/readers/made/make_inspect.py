"""The table of samples of inspect (inspect_ai 0.3.285), with its mock model.

``python make_inspect.py`` where inspect_ai and pandas are installed: two models, one
task, two epochs; one sample of the second model ends with an error.
"""

import shutil
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.analysis import EvalModel, EvalTask, SampleSummary, samples_df
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, solver

HERE = Path(__file__).parent / "inspect"
TARGETS = ["4", "6", "8", "10", "12"]


@solver
def stumble(name: str):
    async def solve(state, generate):
        if name == "second" and state.sample_id == 5:
            raise RuntimeError("out of memory")
        return state

    return solve


def run(name: str, answers: list[str], logs: Path) -> None:
    items = [
        Sample(id=i + 1, input=f'{i + 2} plus {i + 2},\n"quoted"', target=target)
        for i, target in enumerate(TARGETS)
    ]
    outputs = [ModelOutput.from_content("mockllm", answer) for answer in answers]
    for output in outputs:  # or it counts tokens, which needs the network
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model(f"mockllm/{name}", custom_outputs=outputs)
    task = Task(
        items, solver=[stumble(name), generate()], scorer=includes(), name="sums"
    )
    eval(task, model, epochs=2, log_dir=str(logs), fail_on_error=False,
         max_samples=1, display="none")  # fmt: skip


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    logs = HERE / "logs"
    logs.mkdir(parents=True)
    run("first", [*TARGETS, "4", "6", "no", "10", "12"], logs)
    run("second", ["4", "no", "8", "10", "4", "no", "no", "10"], logs)
    table = samples_df(str(logs), columns=EvalModel + EvalTask + SampleSummary)
    table = table.drop(columns="log")
    table["error"] = table["error"].str.slice(0, 30)
    table.to_csv(HERE / "samples.csv", index=False)
    without = samples_df(str(logs)).drop(columns="log")
    without.head(1).to_csv(HERE / "no_model.csv", index=False)
    shutil.rmtree(logs)


if __name__ == "__main__":
    make()
