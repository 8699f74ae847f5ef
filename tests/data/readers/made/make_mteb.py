"""Results of two models, one of them in two revisions, by MTEB itself.

``pip install mteb==1.39.7 'transformers<4.57' 'datasets<3.7' pillow``; then ``python
make_mteb.py``. MTEB (Apache-2.0) runs with its torch. Stand-ins: two tasks of pairs of
sentences, typed here in place of data sets of a hub, and models that count letters.
One task has two splits and two subsets.
"""

import shutil
from pathlib import Path

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.abstasks.AbsTaskSTS import AbsTaskSTS
from mteb.abstasks.TaskMetadata import TaskMetadata
from mteb.model_meta import ModelMeta

HERE = Path(__file__).parent / "mteb"
WORDS = ("cat", "dog", "house", "sun", "rain", "tree", "road", "night")


def pairs(seed):
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(WORDS, (2, 3)) for _ in range(8)]
    texts = [[" ".join(words) for words in pair] for pair in drawn]
    return Dataset.from_dict(
        {
            "sentence1": [a for a, _ in texts],
            "sentence2": [b for _, b in texts],
            "score": [5 * len({*a.split()} & {*b.split()}) / 3 for a, b in texts],
        }
    )


def about(name, splits, langs):
    return TaskMetadata(
        name=name,
        dataset={"path": f"none/{name}", "revision": "1"},
        description="Pairs of drawn words.",
        type="STS",
        eval_splits=splits,
        eval_langs=langs,
        main_score="cosine_spearman",
    )


class WordsSTS(AbsTaskSTS):
    min_score, max_score = 0, 5
    metadata = about("WordsSTS", ["test"], ["eng-Latn"])

    def load_data(self, **_):
        self.dataset = DatasetDict(test=pairs(1))
        self.data_loaded = True


class SubsetsSTS(AbsTaskSTS):
    min_score, max_score = 0, 5
    metadata = about(
        "SubsetsSTS", ["dev", "test"], {"en": ["eng-Latn"], "de": ["deu-Latn"]}
    )

    def load_data(self, **_):
        self.dataset = {
            subset: DatasetDict(dev=pairs(2 + at), test=pairs(4 + at))
            for at, subset in enumerate(("en", "de"))
        }
        self.data_loaded = True


class Letters:
    """Embeds a text by how often it has some letters."""

    def __init__(self, name, revision, letters):
        self.letters = letters
        unknown = dict.fromkeys(ModelMeta.model_fields)
        known = {"name": name, "revision": revision, "framework": []}
        self.mteb_model_meta = ModelMeta(**unknown | known | {"modalities": ["text"]})

    def encode(self, sentences, **_):
        counts = [[text.count(letter) for letter in self.letters] for text in sentences]
        return np.array(counts, float)


def make() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    for name, revision, letters in (
        ("org/first", "abc1", "aeiou"),
        ("org/first", "abc2", "aeiouht"),
        ("org/second", "1", "abcdefghijklmnopqrstuvwxyz"),
    ):
        model = Letters(name, revision, letters)
        tasks = [WordsSTS(), SubsetsSTS()]
        mteb.MTEB(tasks).run(model, output_folder=str(HERE), verbosity=0)


if __name__ == "__main__":
    make()
