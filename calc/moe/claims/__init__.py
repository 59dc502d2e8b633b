"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from calc.moe.claims.quality import *
from calc.moe.claims.racks import *
