"""Calculations of the ledger's claims about the recording itself.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

from calc import catalog
from calc.ledger.calls import Found


def g2() -> Found:
    return catalog.datum("matx-funding").value


def g5() -> Found:
    return catalog.datum("lecture-length").value / 3600


def g5_minutes() -> Found:
    return catalog.datum("lecture-length").value / 60


def g8() -> Found:
    return [catalog.system("rubin-nvl72").chips, catalog.announced("rubin-ultra-nvl576-racks").packages]
