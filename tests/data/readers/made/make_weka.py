"""Results of the WEKA Experimenter (3.6.14), as CSV and ARFF.

``python make_weka.py WEKA.JAR FOLDER``, the folder with WEKA's iris.arff and
weather.nominal.arff: two schemes, two data sets, one run of three folds.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent / "weka"
SCHEMES = {
    "trees": ["weka.classifiers.trees.J48", "--", "-C", "0.25"],
    "rules": ["weka.classifiers.rules.OneR"],
}
LISTENERS = {"csv": "CSVResultListener", "arff": "InstancesResultListener"}


def make(jar: str, data: str) -> None:
    package = "weka.experiment."
    for ending, listener in LISTENERS.items():
        (HERE / ending).mkdir(parents=True, exist_ok=True)
        for name, scheme in SCHEMES.items():
            out = HERE / ending / f"{name}.{ending}"
            files = [f"{data}/iris.arff", f"{data}/weather.nominal.arff"]
            subprocess.run(
                [
                    *("java", "-cp", jar, f"{package}Experiment", "-r"),
                    *("-L", "1", "-U", "1", "-T", files[0], "-T", files[1]),
                    *("-P", f"{package}CrossValidationResultProducer"),
                    *("-D", f"{package}{listener} -O {out}", "--", "-X", "3"),
                    *("-W", f"{package}ClassifierSplitEvaluator", "--", "-W"),
                    *scheme,
                ],
                check=True,
            )


if __name__ == "__main__":
    make(*sys.argv[1:])
