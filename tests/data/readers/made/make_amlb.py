"""Results of three frameworks by the AutoML benchmark, one of which fails.

``python make_amlb.py FOLDER``, where FOLDER has the AutoML benchmark (MIT) at dfe8d218
and the environment ``openml<0.16 pandas==1.5.3 numpy==1.26.4 scikit-learn ruamel.yaml
psutil pyarrow filelock boto3 liac-arff``. It runs as it is on three tasks drawn here.
Its frameworks of scikit-learn count as installed without their setup, so that
RandomForest, which needs an environment of its own, fails as failed runs do; FOLDER is
left out of its messages.
"""

import random
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent / "amlb"
TASK = """- name: {0}
  dataset:
    train: ['{{user}}/{0}_train_0.csv', '{{user}}/{0}_train_1.csv']
    test: ['{{user}}/{0}_test_0.csv', '{{user}}/{0}_test_1.csv']
    target: target
  folds: 2

"""
CLASSES = {
    "binary": lambda y: "pos" if y > 0 else "neg",
    "multi": lambda y: "abc"[(y > 0.5) + (y > -0.5)],
    "number": lambda y: round(y, 3),
}


def write(path, named, drawn, n):
    lines = ["a,b,c,target"]
    for _ in range(n):
        x = [round(drawn.gauss(0, 1), 3) for _ in range(3)]
        y = named(x[0] + x[1] + drawn.gauss(0, 0.6))
        lines.append(",".join(map(str, [*x, y])))
    path.write_text("\n".join(lines) + "\n")


def make(program: Path) -> None:
    user = program / "drawn"
    user.mkdir()
    (user / "drawn.yaml").write_text("".join(map(TASK.format, CLASSES)))
    drawn = random.Random(4)
    for task, named in CLASSES.items():
        for fold in (0, 1):
            for part, n in (("train", 60), ("test", 30)):
                write(user / f"{task}_{part}_{fold}.csv", named, drawn, n)
    for name in ("constantpredictor", "DecisionTree", "RandomForest"):
        setup = program / "frameworks" / name / ".setup"
        setup.mkdir(exist_ok=True)
        (setup / "installed").write_text("stable\n")
        words = [name, str(user / "drawn.yaml"), "test", "-u", str(user)]
        words += ["-o", str(user / "out"), "-s", "skip"]
        subprocess.run([sys.executable, "runbenchmark.py", *words], cwd=program)
    HERE.mkdir(exist_ok=True)
    text = (user / "out" / "results.csv").read_text()
    (HERE / "results.csv").write_text(text.replace(f"{program}/", ""))


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve())
