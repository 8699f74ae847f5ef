"""pycompare: compare classification algorithms, cross-checked against R.

``import pycompare as pc``. The public names load on first use, so that the import
itself is quick. ``__init__.pyi`` lists them.
"""

from pycompare.apps.public import PUBLIC as PUBLIC
from pycompare.apps.public import load as __getattr__
from pycompare.apps.public import names as __dir__
from pycompare.base.version import __version__ as __version__

__all__ = __dir__()
