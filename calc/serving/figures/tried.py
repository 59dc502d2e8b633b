"""A frontier's model, system and precisions, and the inputs that are its own."""

from __future__ import annotations

from dataclasses import dataclass

from calc.figure.inputs import Choice
from calc.figure.scenario import PRECISIONS
from calc.quantities.units import BITS_PER_ELEMENT
from calc.serving.figures.setting import chosen, described
from calc.setting import Setting

GRID = Choice(
    name="grid",
    label="Batches tried",
    default="fine",
    options={"fine": "In steps of 3%", "finest": "In steps of 0.2%"},
    help="Small steps are a hundred thousand combinations in each precision, and take a moment.",
)
EVERY = "every"
TRIED = Choice(
    name="precisions",
    label="Precisions",
    default="one",
    options={"one": "The chosen one", EVERY: "Each that the chip multiplies"},
    help="Each point then names the precision that is best there, whichever is chosen above.",
)


@dataclass(frozen=True)
class Named:
    """A model, a system and a precision or every one, by their names; with the texts of those that are one's own."""

    model: str
    own: str
    system: str
    precision: str
    machine: str = ""

    @property
    def precisions(self) -> tuple[str, ...]:
        """The precision, or of those that a reader can choose all that the chip multiplies in their own width.

        >>> Named("deepseek-v3", "", "hgx-h100", EVERY).precisions
        ('bf16', 'fp8')
        """
        if self.precision != EVERY:
            return (self.precision,)
        widths = {BITS_PER_ELEMENT[each] for each in chosen(self.system, self.machine).machine.rates}
        return tuple(each for each in PRECISIONS if BITS_PER_ELEMENT[each] in widths)

    @property
    def in_words(self) -> str:
        """The precision, as a sentence names it."""
        return "every precision" if self.precision == EVERY else self.precision.upper()

    def setting(self, precision: str) -> Setting:
        """In one precision, as it is usually laid out."""
        return described(self.model, self.own, self.system, precision, self.machine)
