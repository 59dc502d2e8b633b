"""The catalogue as pages, read from `calc.catalog`: every fact with its unit, standing, sources and date."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import jinja2

from calc import catalog
from calc.catalog.records import Fact, Record, day
from calc.quantities.units import show

FOLDER = "reference/catalogue"
DIGITS = 6
TITLES = {
    "chips": ("Chips", "One accelerator package each. Rates are dense; links are one direction."),
    "systems": ("Systems", "Chips in one scale-up domain. Links are per chip, one direction."),
    "models": ("Models", "Geometry of language models, as published; rumours are marked."),
    "prices": ("Prices", "API price sheets, dated: what a million tokens costs."),
    "hosts": ("Hosts", "What hosts ask for open models that others made."),
    "rents": ("Rents", "What an hour of one chip was offered for."),
    "tiers": ("Memory and storage", "Where a cache can be kept, from the fastest kind to the slowest."),
    "loss_fits": ("Scaling laws", "Published fits of loss against parameters and training tokens."),
    "forecast_fits": (
        "Forecasts of a step",
        "Constants fitted to measurements, with their standard errors, and bands that hold where they were not fitted.",
    ),
    "routing_fits": ("Routing laws", "Published fits of loss against size and number of experts."),
    "deployments": ("Deployments", "Serving systems whose operators have published what they did in a day."),
    "announced": ("Announced", "Machines not yet on sale when they were read of, as their makers describe them."),
    "data": ("Single figures", "Traffic, context windows, forecasts, results of papers."),
}
COMPARED = {  # tables with too many columns to put all of them side by side
    "models": ("total_params", "active_params", "layers", "d_model", "routed_experts", "train_tokens", "max_context"),
    "forecast_fits": ("memory_share", "arithmetic_share", "link_share", "kernel_seconds", "sequence_seconds"),
    "prices": ("input", "output", "cached_input", "cache_write_5m", "input_above", "output_above", "fast_output"),
    "deployments": ("input_tokens", "cached_input_tokens", "output_tokens", "nodes_mean", "cost_dollars"),
}
STANDINGS = {
    "primary": "The maker's own figure",
    "arithmetic": "Follows from other facts",
    "secondary": "Relayed by others",
    "rumour": "Never confirmed by the maker",
}


@dataclass(frozen=True)
class Table:
    """One table as its page shows it."""

    name: str

    @property
    def slug(self) -> str:
        return self.name.replace("_", "-")

    @property
    def title(self) -> str:
        return TITLES[self.name][0]

    @property
    def holds(self) -> str:
        return TITLES[self.name][1]

    @cached_property
    def records(self) -> list[Record]:
        """The rows in force."""
        return list(catalog.in_force(catalog.KINDS[self.name], self.name).values())

    @property
    def columns(self) -> dict[str, str]:
        """The labels of the facts that are put side by side, by field."""
        known = {key: fact.label for record in self.records for key, fact in record.facts().items()}
        order = [f.name for f in fields(catalog.KINDS[self.name]) if f.name in known]
        wanted = COMPARED.get(self.name, order)
        labels = {"value": "Value"} if self.name == "data" else known
        return {key: labels[key] for key in order if key in wanted}

    def superseded(self, record: Record) -> list[Record]:
        """The other dated rows of the same thing, newest first."""
        rows = catalog.history(catalog.KINDS[self.name], self.name, record.id)
        return sorted((row for row in rows if row.since != record.since), key=lambda row: row.since, reverse=True)


def nav() -> list[str]:
    """The entries of the navigation: the overview, each table, and the sources of all."""
    return [f"{FOLDER}/{page}.md" for page in ("index", *(Table(name).slug for name in TITLES), "sources")]


def markdown() -> dict[str, str]:
    """Every page of the catalogue, by its place among the site's sources."""
    tables = [Table(name) for name in catalog.KINDS]
    sources = sorted(catalog.sources().values(), key=lambda source: (source.publisher.lower(), source.as_of, source.id))
    page = _environment().get_template("catalogue.html").render
    return {
        f"{FOLDER}/index.md": page(page="index", tables=tables, sources=sources, standings=STANDINGS),
        f"{FOLDER}/sources.md": page(page="sources", sources=sources),
        **{f"{FOLDER}/{table.slug}.md": page(page="table", table=table) for table in tables},
    }


def shown(fact: Fact) -> str:
    """A fact's value with its unit, in full."""
    return show(fact.value, fact.unit, DIGITS).replace(" ", "\u00a0")


def words(record: Record) -> list[str]:
    """The words of a row: its vendor, its chip, the kind of offer, and what is so of it."""
    unsaid = {"id", "name", "note", "unit"}
    flags = [f.metadata["flag"] for f in fields(record) if "flag" in f.metadata and getattr(record, f.name)]
    said = (getattr(record, f.name) for f in fields(record) if f.name not in unsaid and "label" not in f.metadata)
    texts = (value.name if isinstance(value, Record) else value for value in said if isinstance(value, str | Record))
    return [text for text in texts if text] + flags


def slug(name: str) -> str:
    """An id that a heading can carry."""
    return name.replace(".", "-")


def _sentence(words: str) -> str:
    """Words that begin with a capital."""
    return words[:1].upper() + words[1:]


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("web", "."), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    made.filters |= {"day": day, "sentence": _sentence, "shown": shown, "words": words, "slug": slug}
    return made
