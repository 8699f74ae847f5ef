"""The table of samples of inspect (inspect_ai 0.3.285), and its logs.

``python make_inspect.py`` where inspect_ai and pandas are installed, from a folder
outside of any repository (its address would be in the logs): two mock models, one task,
two epochs; one sample of the second model ends with an error. Logs in JSON are cut to
what is read; those of .eval are whole.
"""

import json
import shutil
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.analysis import EvalModel, EvalTask, SampleSummary, samples_df
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, solver

HERE = Path(__file__).parent / "inspect"
LOGS = Path(__file__).parent / "inspect-logs"
FIRST = ("first", ["4", "6", "8", "10", "12", "4", "6", "no", "10", "12"])
SECOND = ("second", ["4", "no", "8", "10", "4", "no", "no", "10"])
TARGETS = ["4", "6", "8", "10", "12"]


@solver
def stumble(name: str):
    async def solve(state, generate):
        if name == "second" and state.sample_id == 5:
            raise RuntimeError("out of memory")
        return state

    return solve


def run(name: str, answers: list[str], logs: Path, kind: str = "eval") -> None:
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
         max_samples=1, display="none", log_format=kind)  # fmt: skip


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    logs = HERE / "logs"
    logs.mkdir(parents=True)
    run(*FIRST, logs)
    run(*SECOND, logs)
    table = samples_df(str(logs), columns=EvalModel + EvalTask + SampleSummary)
    table = table.drop(columns="log")
    table["error"] = table["error"].str.slice(0, 30)
    table.to_csv(HERE / "samples.csv", index=False)
    without = samples_df(str(logs)).drop(columns="log")
    without.head(1).to_csv(HERE / "no_model.csv", index=False)
    shutil.rmtree(logs)
    for kind in ("eval", "json"):
        logs = LOGS / kind
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir(parents=True)
        run(*FIRST, logs, kind)
        run(*SECOND, logs, kind)
    for path in logs.iterdir():
        cut(path)


def cut(path: Path) -> None:
    """Leave of a log what is read, as inspect wrote it."""
    log = json.loads(path.read_text())
    kept = ("id", "epoch", "input", "target", "scores", "metadata")
    samples = [{k: s[k] for k in kept if k in s} | (
        {"error": {"message": s["error"]["message"][:30]}} if s.get("error") else {}
    ) for s in log["samples"]]  # fmt: skip
    told = {k: log[k] for k in ("version", "status", "eval")} | {"samples": samples}
    path.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    make()
