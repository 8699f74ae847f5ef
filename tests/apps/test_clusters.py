"""Long jobs have the same bits on a cluster, and the guide to clusters works."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import types

import numpy as np
import pytest
from distributed import Client, LocalCluster

import pycompare as pc
from pycompare.apps.streaming import stream
from pycompare.base.parallel import draws
from pycompare.base.parallel.place import working
from pycompare.base.parallel.tasks import tasks
from pycompare.data.measures import measure
from pycompare.data.write import write_scores
from pycompare.designs import release
from pycompare.kernels import (
    case_weights,
    closed_permutation,
    exchanges,
    max_t,
    permutation,
    resampled_curves,
    run_aggregates,
)
from pycompare.methods.cases import challenge_tasks
from pycompare.results.result import plain
from tests.apps.experiments.small import algorithms, data
from tests.apps.streaming.test_stream import METRICS, ROLES, frame, in_one_file
from tests.base.parallel.clusters import ROOT, Cluster, temporary
from tests.challenges import published, scores_of, table
from tests.data.readers.test_read_results import many
from tests.methods.agents.witness import normalised
from tests.methods.multireader.readers import simulated as of_readers
from tests.methods.over_datasets.many_folds import folds_of
from tests.sizes.simulation.toy import Toy
from tests.sizes.test_planned_power import PLANS
from validation import crossed_pairs
from validation.cells import finish_rows
from validation.mutation import batches
from validation.mutation.mutants import changed, mutants

pytestmark = pytest.mark.filterwarnings("default")  # dask's own, as its parts end


@pytest.fixture(scope="module")
def cluster():
    folder = temporary()
    started = Cluster(folder)
    started.add()
    started.add(threads=3)
    with Client(started.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    yield started
    started.end()
    shutil.rmtree(folder)


def measured(tmp_path, **more):
    path = tmp_path / "p.parquet"
    if not path.exists():
        in_one_file(frame(), tmp_path)
    return pc.measure_file(path, metrics=METRICS, **ROLES, **more).sha256


def measured_scattered(tmp_path, **more):
    """Rows of the client's temporary files travel with the tasks."""
    path, lines = tmp_path / "p.parquet", []
    if not path.exists():
        in_one_file(frame().sample(frac=1, random_state=3), tmp_path)
    scores = pc.measure_file(
        path, metrics=METRICS, **ROLES, progress=lines.append, **more
    )
    assert "first sorted by group, in temporary files" in lines[0]
    return scores.sha256


def measured_text(tmp_path, **more):
    frame().to_csv(tmp_path / "p.csv", index=False)
    return pc.measure_file(tmp_path / "p.csv", metrics=METRICS, **ROLES, **more).sha256


def simulated(tmp_path, **more):
    return pc.simulate(Toy(), seed=5, **more).table.to_csv()


def power(tmp_path, **more):
    plan, n, truth = PLANS["two"]
    return pc.planned_power(
        plan, n=n, trials=25, seed=5, **truth, **more
    ).table.to_csv()


def experimented(tmp_path, **more):
    folder = tmp_path / f"run-{len(more)}"
    cases = pc.experiment(
        {"one": data(), "two": data(seed=1)},
        algorithms(),
        protocol=pc.StratifiedFolds(3),
        folder=folder,
        seed=1,
        progress=False,
        **more,
    )
    return cases.sha256, [p.read_bytes() for p in sorted(folder.rglob("*.parquet"))]


def read(tmp_path, **more):
    return pc.read_results(many(tmp_path), missing="drop-block", **more).source.sha256


TWO = {"u": "lower", "v": "higher"}


def compared(tmp_path, **more):
    """Two metrics in three groups, then the data sets of one metric."""
    folds = folds_of([6] * 6, metrics=TWO)
    means = dataclasses.replace(pc.dataset_means(folds), groups=tuple("xxyyzz"))
    ratios = pc.Plan(family="all", groups="each-and-all")
    sizes = pc.Plan(n_train=90, n_test=10)
    found = [
        pc.compare(means, ratios, **more),
        pc.compare(folds, sizes, **more),
        pc.compare(folds.only("v"), sizes, **more),
    ]
    return [(made.to_dict(), made.summary()) for made in found]


def drawn_by(how, *jobs):
    """Return the results of jobs on draws, of which few are enough to be shared out."""
    with pytest.MonkeyPatch.context() as patch, working(**how):
        patch.setattr(draws, "LEAST", 0)
        for place, numbers in AT_ONCE.items():
            patch.setattr(*place, numbers)
        shared = []

        def counted(function, constants, keys, **more):
            shared.append(len(keys))
            return tasks(function, constants, keys, **more)

        for module in (draws, permutation, release):
            patch.setattr(module, "tasks", counted)
        results = [plain(job().to_dict()) for job in jobs]
    if "scheduler" in how:
        assert len(shared) >= len(jobs) and min(shared) > 1
    return results


AT_ONCE = {
    (case_weights, "_AT_ONCE"): 1000,
    (challenge_tasks, "_CHUNK"): 1000,
    (closed_permutation, "CELLS"): 1500,
    (exchanges, "_AT_ONCE"): 2000,
    (max_t, "CELLS"): 25_000,
    (permutation, "_CELLS"): 5000,
    (permutation, "DEALT"): 0,
    (resampled_curves, "_AT_ONCE"): 2000,
    (run_aggregates, "_AT_ONCE"): 10_000,
}
"""Numbers of one block: each job has several."""


def permuted(tmp_path, **how):
    folds = dataclasses.replace(folds_of([24], a=3, metrics=TWO), datasets=None)
    rng = np.random.default_rng(3)
    truth, curves = rng.random(60) < 0.5, rng.normal(size=(60, 2))
    frame = folds.to_frame()
    model = pc.linear_model(frame, "cbind(u, v) ~ algorithm", within="block")
    few = {"permutations": 200, "seed": 1}
    return drawn_by(
        how,
        lambda: pc.permutation_manova(folds, **few),
        lambda: pc.permutation_manova(folds, blocked=False, **few),
        lambda: model.permutation_test("algorithm", **few),
        lambda: pc.closed_permutation(folds.only("u"), **few),
        lambda: pc.signed_rank_pairs(
            folds.only("u"), adjust="closed-permutation", permutations=200
        ),
        lambda: pc.max_t(folds.only("u"), flips=2000),
        lambda: pc.auc_exchange(truth, curves, positive=True, resamples=99),
    )


def bootstrapped(tmp_path, **how):
    rng = np.random.default_rng(4)
    truth = rng.random(60) < 0.5
    curves = {"a": rng.normal(size=60), "b": rng.normal(size=60)}
    part = {"positive": True, "low": 0.0, "high": 0.5, "resamples": 99}
    runs = normalised(range(4), range(4))
    few = {"interval": "bootstrap", "draws": 300}
    return drawn_by(
        how,
        lambda: pc.partial_auc_pairs(truth, curves, **part),
        lambda: pc.mrmc(of_readers(), covariance="bootstrap", resamples=60),
        lambda: challenged(resamples=60),
        lambda: pc.run_aggregates(runs, gamma=1, **few),
        lambda: pc.run_pairs(runs, gamma=1, **few),
        lambda: pc.run_profiles(runs, draws=300),
    )


def decided(tmp_path, **how):
    """Strengths by draws, and the items that a gate needs."""
    rows = [
        {"model_a": a, "model_b": b, "winner": word, "judge": judge}
        for judge in range(40)
        for a, b, word in [
            ("p", "q", "model_a"),
            ("q", "r", ("tie", "model_a")[judge % 2]),
            ("r", "p", ("model_a", "model_b")[judge % 3 > 0]),
        ]
    ]
    right = np.random.default_rng(7).random((2, 600)) < 0.9
    answers = pc.Scores.from_frame(
        [
            {"model": name, "item": f"i{at}", "right": int(right[which, at])}
            for which, name in enumerate(("old", "new"))
            for at in range(600)
        ],
        algorithm="model", block="item", metrics={"right": "higher"},
    )  # fmt: skip
    pair = {"baseline": "old", "candidate": "new", "margin": 0.1}
    slices = {"subject": ["law", "art", "sport"] * 200}
    return drawn_by(
        how,
        lambda: pc.battles(pc.Battles.from_frame(rows, voter="judge")),
        lambda: pc.gate(answers, **pair, slices=slices, slice_margin=0.2),
    )


def challenged(**options):
    scores = scores_of(table(published("random")))
    return pc.challenge(scores, ranking="rank-then-aggregate", **options)


def validated(tmp_path, **how):
    folder = tmp_path / f"evidence-{len(how)}"
    agreement = pc.validate(folder, only=["McNemar"], quick=True, **how).agreement
    assert agreement.passed and len(agreement.by_statistic()) > 1
    return json.dumps(agreement.to_dict()["rows"])


def studied(tmp_path, **how):
    stored = tmp_path / f"rows-{len(how)}.json"
    laws = dict.fromkeys(list(crossed_pairs.LAWS)[:4])
    with working(**how):
        rows = finish_rows(
            stored, laws, lambda name: crossed_pairs.simulated(name, 3), "crossed pairs"
        )
    assert json.loads(stored.read_text()) == rows
    return stored.read_bytes()


JOBS = [
    studied,
    measured,
    measured_scattered,
    measured_text,
    simulated,
    power,
    experimented,
]
JOBS += [
    pytest.param(validated, marks=pytest.mark.r),
    read,
    compared,
    permuted,
    bootstrapped,
    decided,
]


@pytest.mark.parametrize("job", JOBS)
def test_a_cluster_gives_the_same_bits_as_one_process(
    job, cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(stream, "ROWS", 60)
    monkeypatch.setattr(measure, "ROWS", 60)
    alone = job(tmp_path, workers=1)
    assert job(tmp_path, workers=None, scheduler=str(cluster.file)) == alone


def test_the_workers_of_a_command_leave_no_trace_in_its_report(
    cluster, pycompare, tmp_path
):
    write_scores(
        folds_of([4] * 3, a=3, metrics=TWO),
        tmp_path / "folds.csv",
    )
    words = (
        "compare",
        tmp_path / "folds.csv",
        "--algorithm=algorithm",
        "--block=block",
    )
    more = ("--dataset=dataset", "--metric=u:lower", "--metric=v:higher", "--train=90")
    last = ("--test=10", "--date=2026-11-22", "--out")
    for name, scheduler in (("one", ()), ("two", (f"--scheduler={cluster.file}",))):
        status, _, said = pycompare(*words, *more, *scheduler, *last, tmp_path / name)
        assert (status, said) == (0, "")
    one, two = (
        {p.name: p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("one", "two")
    )
    assert one == two


KILLED = """
import os, signal, sys
from pycompare.apps import cli
from pycompare.apps.streaming import stream
from pycompare.base.parallel import unfinished
stream.ROWS = 50
keep = unfinished.Unfinished.keep
def keep_and_die(self, number, arrays):
    keep(self, number, arrays)
    if len(list(self.folder.glob("*.done"))) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] != "resume":
    unfinished.Unfinished.keep = keep_and_die
cli.main()
"""


def test_a_command_that_was_killed_resumes_on_the_cluster(cluster, tmp_path):
    in_one_file(frame(), tmp_path)
    roles = ("--algorithm=model", "--block=fold", "--dataset=data", "--label=label")
    words = ("measure", "p.parquet", *roles, "--score=score", "--positive=yes")
    more = ("--metric=auc", "--out=s.csv", "--keep=kept", f"--scheduler={cluster.file}")
    own = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    program = [sys.executable, "-c", KILLED]
    ended = subprocess.run([*program, *words, *more], **own, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "kept").glob("*/*.done"))) == 2
    own["cwd"] = tmp_path.parent
    resumed = [*program, "resume", str(tmp_path / "kept")]
    done = subprocess.run(resumed, **own, check=True, text=True, capture_output=True)
    assert "resuming pycompare measure" in done.stderr
    assert not (tmp_path / "kept").exists()
    wanted = pc.measure_file(tmp_path / "p.parquet", metrics="auc", **ROLES)
    wanted.to_frame().to_csv(tmp_path / "wanted.csv", index=False)
    scores = (tmp_path / "s.csv").read_text().splitlines()
    assert scores == (tmp_path / "wanted.csv").read_text().splitlines()


SMALL = "def within(x):\n    return x <= 4\n"
TEST = "import a\n\n\ndef test_within():\n    assert a.within(4)\n"


@pytest.mark.slow
def test_mutants_are_tried_by_the_workers_of_a_cluster(cluster, tmp_path, capsys):
    (tmp_path / "tests").mkdir()
    (tmp_path / "a.py").write_text(SMALL)
    (tmp_path / "tests" / "test_a.py").write_text(TEST)
    [lower] = [one for one in mutants("a.py", SMALL) if "x < 4" in change_of(one)]
    project = batches.Project(tmp_path, tmp_path, ["a.py"])
    with working(scheduler=str(cluster.file)):
        batches.try_all(project, [lower])
    assert "mutants: 1 of 1 cells, took" in (told := capsys.readouterr().err)
    assert told.count(", 2 workers") == 2  # the test files, then the mutants
    [line] = map(json.loads, (tmp_path / "mutants.jsonl").read_text().splitlines())
    assert line["verdict"] == "caught"
    assert line["failed"] == ["tests/test_a.py::test_within"]


def change_of(mutant):
    return changed(SMALL, mutant.number, mutant.choice)[1]


def test_a_folder_without_a_command_is_not_resumed(pycompare, tmp_path):
    status, _, said = pycompare("resume", tmp_path)
    assert status == 2
    assert "holds no unfinished command" in said


# ---- the guide -----------------------------------------------------------------------


def of_guide(language: str) -> str:
    text = (ROOT / "docs" / "guide" / "clusters.md").read_text(encoding="utf-8")
    block = rf"```{{code-block}} {language}\n:class: cluster\n\n(.*?)```"
    [code] = re.findall(block, text, re.DOTALL)
    return code


MORE = {"scheduler": "--host 127.0.0.1 --port 0 --no-show --no-dashboard", "worker": ""}


@pytest.mark.slow
def test_the_commands_of_the_guide_give_the_same_table(tmp_path):
    own = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    started, tables = [], []
    try:
        for line in of_guide("bash").splitlines():
            words = shlex.split(line)
            if words[0] == "dask":
                words += shlex.split(MORE[words[1]])
                quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                program = [sys.executable, "-m", f"distributed.cli.dask_{words[1]}"]
                started.append(subprocess.Popen([*program, *words[2:]], **own, **quiet))
                while not (tmp_path / "cluster.json").exists():
                    assert started[0].poll() is None
                continue
            at = words.index("--scheduler")
            for given in (words, words[:at] + words[at + 2 :]):
                program = [sys.executable, "-m", "pycompare.apps.cli", *given[1:]]
                done = subprocess.run(program, **own, check=True, capture_output=True)
                tables.append(done.stdout)
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(timeout=60)
    assert len(tables) == 2 and tables[0] == tables[1] and b"Maloof" in tables[0]


@pytest.mark.slow
def test_the_script_for_slurm_runs_where_jobs_are_processes(monkeypatch, capsys):
    class Queue(LocalCluster):
        """A queue of this machine, which takes what dask-jobqueue takes."""

        def __init__(self, *, cores, processes, memory, walltime):
            assert (cores, processes) == (1, 1)
            super().__init__(
                n_workers=0,
                threads_per_worker=1,
                processes=False,
                dashboard_address=None,
                silence_logs=50,
            )
            opened.append(self)

        def scale(self, n=0, *, jobs=0):
            super().scale(min(n or jobs, 1))

    opened = []
    monkeypatch.setitem(
        sys.modules, "dask_jobqueue", types.SimpleNamespace(SLURMCluster=Queue)
    )
    code = compile(of_guide("python"), "study.py", "exec")
    try:
        exec(code, {"__name__": "__main__"})
    finally:
        for queue in opened:
            queue.close()
    assert "Maloof" in capsys.readouterr().out


def test_the_guide_names_all_that_is_checked():
    from pycompare.base.parallel.worker import software

    guide = ROOT / "docs" / "guide" / "clusters.md"
    text = " ".join(guide.read_text(encoding="utf-8").lower().split())
    words = {"machine": "kind of processor", "BLAS": "linear algebra"}
    assert all(words.get(name, name.lower()) in text for name in software())
