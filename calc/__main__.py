"""`python -m calc`: the same as `rooflines`."""

import sys

from calc.cli import main

sys.exit(main())
