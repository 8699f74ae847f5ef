"""``python -m pycompare.apps.cli``."""

from pycompare.apps.cli.app import main

main()
