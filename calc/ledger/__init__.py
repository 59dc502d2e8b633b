"""The ledger: claims about the subject, the calls that check them, and the verdicts that follow."""
