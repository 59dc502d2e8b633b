"""The command line answers what it is asked, for people and for programs, and never shows a traceback."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import shlex

import pytest

from calc import __version__, batching, catalog
from calc.catalog import ages
from calc.cli import here, main
from calc.cli.arguments import EPILOG
from calc.cli.report import Report, Value
from calc.figure import registry
from calc.figure.sensitivity import matters
from calc.ledger import claims
from calc.serving.measured import comparisons
from calc.serving.rates import chip_dollars_per_token
from calc.setting import Layout, Setting
from calc.step import decode, prefill

PLACE = ["deepseek-v3", "gb200-nvl72"]


@pytest.fixture
def ask(capsys):
    def asked(*words):
        try:
            status = main(list(words))
        except SystemExit as end:
            status = end.code
        out, error = capsys.readouterr()
        return status, out, error

    return asked


@pytest.fixture
def values(ask):
    def asked(*words):
        status, out, _ = ask(*words, "--json")
        assert status in (0, 1)
        return json.loads(out)

    return asked


def number(found, name):
    return found["values"][name]["value"]


def served(batch, context, layout=None):
    return decode(Setting.published(*PLACE, "fp8", layout=layout or Layout(data=72)), batch, context)


@pytest.mark.parametrize("line", [line.split("#")[0] for line in EPILOG.splitlines() if line.startswith("  rooflines")])
def test_every_example_of_the_help_answers(ask, line):
    status, out, error = ask(*shlex.split(line)[1:])
    assert status == int("fits" in line)
    assert out.strip()
    assert not error


@pytest.mark.parametrize(
    "question", ["step", "balance", "fits", "price", "sweep", "here", "claims", "catalog", "facts"]
)
def test_every_question_explains_itself_with_an_example_that_works(ask, question):
    status, out, _ = ask(question, "--help")
    example = out.split("example:\n  rooflines ")[1].strip()
    assert status == 0
    assert ask(*shlex.split(example))[0] in (0, 1)


def test_the_version_is_that_of_the_package(ask):
    assert ask("--version")[:2] == (0, f"rooflines {__version__}\n")


def test_a_step_is_the_decode_of_serving(values):
    found = values("step", *PLACE, "--batch", "2k", "--context", "8k")
    expected = served(2000, 8000)
    assert number(found, "bound") == float(expected.bound_seconds)
    assert number(found, "serial") == float(expected.serial_seconds)
    assert number(found, "per_chip") == float(expected.chip_tokens_per_second)
    assert number(found, "limit") == "memory"
    assert found["values"]["bound"]["unit"] == "s"


def test_a_layout_is_as_asked_and_precision_as_people_write_it(values):
    found = values("step", "DeepSeek V3", "GB200-NVL72", "--precision", "E4M3", "--tensor", "2", "--expert", "8")
    assert number(found, "bound") == float(served(1, 4096, Layout(tensor=2, data=8, expert=8)).bound_seconds)
    one = values("step", *PLACE, "--stages", "2", "--tensor", "8", "--batch", "2")
    assert number(one, "bound") == float(served(2, 4096, Layout(tensor=8, expert=1, pipeline=2)).bound_seconds)


def test_efficiencies_are_shares(values):
    whole, half = (values("step", *PLACE, "--mbu", mbu) for mbu in ("100%", "50%"))
    assert number(half, "weights") == 2 * number(whole, "weights")
    assert number(half, "compute") == number(whole, "compute")
    assert number(values("step", *PLACE, "--mfu", "0.25 %"), "compute") > 100 * number(whole, "compute")


def test_the_note_on_bounds_is_computed(values):
    shares = [each.share for each in comparisons().values() if "tokens" in each.unit]
    assert f"{100 * min(shares):.0f}% to {100 * max(shares):.0f}%" in values("step", *PLACE)["notes"][0]


def test_balance_is_lecture_1(values):
    node = catalog.system("hgx-h100")
    found = values("balance", "hgx-h100", "deepseek-v3", "--precision", "FP8")
    ratio = batching.hardware_ratio(node.flops("fp8"), node.hbm_bandwidth, 1)
    assert number(found, "ratio") == ratio
    assert number(found, "batch") == pytest.approx(ratio * 671 / 37)
    assert number(found, "batch_with_cache") is None
    assert found["values"]["batch_with_cache"]["text"] == "none: no batch balances"
    assert set(values("balance", "hgx-h100")["values"]) == {"ratio", "drain"}


def test_what_does_not_fit_says_why_and_exits_with_one(ask, values):
    status, out, _ = ask("fits", "llama-3-405b", "hgx-h100", "--batch", "64", "--context", "32k")
    assert status == 1
    assert "the cache needs" in out
    assert values("fits", "llama-3-405b", "hgx-h100", "--batch", "33", "--context", "32k")["values"]["fits"]["value"]
    assert ask("fits", "llama-3-405b", "hgx-h100", "--batch", "33", "--context", "32k")[0] == 0
    assert ask("fits", "llama-3-405b", "hgx-h100", "--batch", "34", "--context", "32k")[0] == 1


def test_a_price_is_rent_over_what_is_made(values):
    found = values("price", *PLACE, "--batch", "2k", "--rent", "3", "--sheet", "claude-opus-5")
    written = served(2000, 4096)
    read = prefill(written.setting, 72, 4096)
    sheet = catalog.price("claude-opus-5")
    made = {"output": written.chip_tokens_per_second, "input": read.chip_reading_rate(read.bound_seconds)}
    for way, rate in made.items():
        assert number(found, way) == pytest.approx(chip_dollars_per_token(3, rate) * 1e6)
    assert number(found, "input") < number(found, "output") < number(found, "output_serial")
    assert number(found, "output_margin") == pytest.approx(1 - number(found, "output") / sheet.output)


def test_a_rent_comes_from_the_catalogue_with_its_date(values):
    found = values("price", *PLACE)
    offer = catalog.rent("gb200-nvl72")
    assert number(found, "rent") == offer.dollars_per_chip_hour
    assert found["notes"][0] == f"Rent: {offer.name}, {offer.dated}."


def test_a_sweep_shows_a_part_and_gives_all(ask, values):
    rows = values("sweep", *PLACE)["rows"]
    assert len(rows) > 50
    assert all(one["per_user"] < other["per_user"] for one, other in itertools.pairwise(rows))
    table = ask("sweep", *PLACE, "--rows", "5")[1].split("\n\n")[1].splitlines()
    assert len(table) == 1 + 5


def test_claims_are_recomputed_and_filtered(ask, values):
    assert len(values("claims")["rows"]) == len(claims.claims())
    failed = values("claims", "--verdict", "does not hold", "--chapter", "batching")["rows"]
    assert failed
    assert {row["verdict"] for row in failed} == {"does not hold"}
    assert {claims.claim(row["id"]).chapter for row in failed} == {"batching"}
    status, out, _ = ask("claims", "a9")
    assert status == 0
    assert "batching.step_time(" in out
    assert claims.claim("A9").reason in out


@pytest.mark.parametrize("name", ["A9", "A39", "B1"])
def test_a_claim_comes_with_its_call_and_with_its_exception(values, name):
    claim, found = claims.claim(name), values("claims", name)["values"]
    assert ("otherwise" in found) == bool(claim.counter)
    if claim.counter:
        assert found["counter"]["text"].endswith(f"\n\n{name.lower()}_otherwise()")
        assert found["otherwise"]["text"] == claim.told_otherwise


def test_a_verdict_that_numbers_do_not_bear_out_is_said(ask, monkeypatch):
    monkeypatch.setattr(claims.Claim, "derived", lambda claim: "does not hold" if claim.id == "A9" else claim.verdict)
    status, out, _ = ask("claims", "A9")
    assert status == 1
    assert "does not bear out" in out
    status, out, _ = ask("claims", "--chapter", "batching")
    assert status == 1
    assert "Not borne out: A9." in out


def test_the_catalogue_from_tables_to_a_fact(ask, values):
    assert {row["table"] for row in values("catalog")["rows"]} == set(catalog.KINDS)
    assert [row["id"] for row in values("catalog", "loss-fits")["rows"]] == list(catalog.loss_fits())
    rubin = values("catalog", "chips", "Rubin")
    assert number(rubin, "hbm_bandwidth") == 22e12
    assert any("HBM bandwidth 13 TB/s" in note for note in rubin["notes"])
    assert any(note.startswith("Source: ") for note in rubin["notes"])
    for table in catalog.KINDS:
        for name in catalog.in_force(catalog.KINDS[table], table):
            assert ask("catalog", table, name)[0] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("stp", "command must be one of balance, catalog, .* (did you mean “step”?); it was “stp”."),
        ("", "the following arguments are required: QUESTION. Try “rooflines --help”."),
        ("step", "the following arguments are required: model, system. Try “rooflines step --help”."),
        ("step deepsek-v3 hgx-h100", "(did you mean “deepseek-v3”?); it was “deepsek-v3”."),
        ("step deepseek-v3 hgx-h10", "system must be a name that the catalogue knows (did you mean"),
        ("step deepseek-v3 hgx-h100 --batch 5m", "argument --batch: must be a number without a unit; it was “5m”."),
        ("step deepseek-v3 hgx-h100 --batch 0", "batch must be a finite number above 0; it was 0.0."),
        ("step deepseek-v3 hgx-h100 --batch=-5", "argument --batch: must be from 0 up; it was “-5”."),
        ("step deepseek-v3 hgx-h100 --context nan", "argument --context: must be a number, such as"),
        ("step deepseek-v3 hgx-h100 --mfu 200%", "argument --mfu: must be from 0 to 1; it was “200%”."),
        ("step deepseek-v3 hgx-h100 --mfu 0", "mfu must be a finite number above 0 up to 1"),
        ("step deepseek-v3 hgx-h100 --precision fp9", "precision must be one of"),
        ("step deepseek-v3 hgx-h100 --tensor 1.5", "tensor must be a whole number of at least 1"),
        ("step deepseek-v3 hgx-h100 --stages 62", "pipeline must be at most the number of layers, 61; it was 62.0."),
        ("step deepseek-v3 hgx-h100 --bach 16", "unrecognized arguments: --bach 16."),
        ("step gpt-4-rumour hgx-h100", "gpt-4-rumour must be a row whose “d_model” is known"),
        ("fits kimi-k2 hgx-h100 --expert 999", "expert must be at most the number of routed experts"),
        ("price kimi-k2 hgx-h100 --sheet claude", "price must be a name that the catalogue knows"),
        ("claims Z9", "claim must be a name that the catalogue knows"),
        ("claims --verdict wrong", "verdict must be one of"),
        ("claims --chapter batchin", "chapter must be one of"),
        ("catalog chip", "table must be a name that the catalogue knows (did you mean “chips”?); it was “chip”."),
        ("catalog chips h100", "name must be a name that the catalogue knows"),
        ("facts check --on tomorrow", "--on: must be a day, written YYYY-MM-DD; it was “tomorrow”"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence_and_status_two(ask, words, sentence):
    status, out, error = ask(*words.split())
    assert status == 2
    assert not out
    assert error.startswith("rooflines: ")
    assert error.count("\n") == 1
    at = 0
    for part in sentence.split(".*"):
        at = error.index(part, at) + len(part)


def test_an_empty_name_is_refused(ask):
    assert ask("step", " ", "hgx-h100")[0] == 2


def test_interruption_ends_quietly(ask, monkeypatch):
    def interrupt(options):
        raise KeyboardInterrupt

    monkeypatch.setattr("calc.cli.serve.step", interrupt)
    assert ask("step", *PLACE) == (130, "", "")


def test_a_report_is_a_table_for_people_and_null_for_programs():
    rows = [
        {"name": Value("Name", "one"), "size": Value("Size", 1e9, "B")},
        {"name": Value("", "three"), "size": Value("", 2.0, "B")},
    ]
    report = Report("Title", {"odd": Value("Odd", float("nan")), "sure": Value("Sure", True)}, rows, ["Note."])
    assert report.text() == "Title\n\nOdd   not a number\nSure  yes\n\nName   Size\none    1 GB\nthree   2 B\n\nNote."
    found = json.loads(report.json())
    assert found["values"]["odd"]["value"] is None
    assert found["rows"] == [{"name": "one", "size": 1e9}, {"name": "three", "size": 2.0}]
    assert found["units"] == {"size": "B"}


def test_facts_are_checked_against_the_age_of_their_kind(ask):
    sheet = max(catalog.prices().values(), key=lambda row: row.read)
    last = sheet.read + dt.timedelta(days=ages.MOST_DAYS["prices"])
    for day, listed in ((last, False), (last + dt.timedelta(days=1), True)):
        status, out, _ = ask("facts", "check", "--on", day.isoformat(), "--json")
        late = {(row["table"], row["id"]) for row in json.loads(out)["rows"]}
        assert (("prices", sheet.id) in late) is listed
        assert status == int(bool(late))
    assert ask("facts", "check", "--on", "2022-01-01")[:2] == (0, "No fact wants reading again on 2022-01-01\n")


def test_a_figure_answers_at_inputs_of_ones_own(ask):
    status, out, _ = ask("figure", "batching/step-time", "batch=8k", "--json")
    assert status == 0
    assert json.loads(out)["title"] == registry.find("batching/step-time").answer(batch=8000).finding


def test_how_far_each_input_moves_a_number_is_that_of_the_page(ask):
    status, out, _ = ask("figure", "batching/step-time", "model=llama-3-70b", "batch=1", "--matters", "step", "--json")
    bars = matters(registry.find("batching/step-time"), "step", model="llama-3-70b", batch=1)
    assert status == 0
    told = json.loads(out)["rows"]
    assert [row["input"] for row in told] == [bar.label for bar in bars]
    assert "Not moved by" in ask("figure", "serving/sheet", "--matters", "output")[1]
    assert [row["most"] - row["least"] for row in told] == [bar.span for bar in bars]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["batching/step-time", "--matters", "stop"], "did you mean “step”"),
        (["nowhere/sheet"], "figure must be"),
        (["serving/sheet", "batch"], "written name=value"),
        (["serving/sheet", "bach=3"], "did you mean “batch”"),
        (["serving/sheet", "batch=many"], "Batch takes a whole number"),
        (["serving/sheet", "model=own", "own=llama"], "that this text lacks: num_hidden_layers"),
    ],
)
def test_a_figure_refuses_in_its_own_words(ask, words, said):
    status, out, error = ask("figure", *words)
    assert (status, out) == (2, "")
    assert said in error


def test_this_computer_is_timed_with_one_column_to_many(values, monkeypatch):
    monkeypatch.setattr(here, "SPENT", 0.0)
    monkeypatch.setattr(here, "HELD", 1)
    found = values("here", "--size", "64", "--bytes", "8")
    rows = {row["columns"]: row for row in found["rows"]}
    assert list(rows) == list(here.COLUMNS)
    assert number(found, "bandwidth") == pytest.approx(64 * 64 * 8 / min(row["seconds"] for row in rows.values()))
    assert all(row["column_seconds"] == pytest.approx(row["seconds"] / columns) for columns, row in rows.items())
    assert all(row["seconds"] == pytest.approx(row["over"] * row["bound"]) for row in rows.values())


def test_matrices_that_take_turns_fill_more_than_a_cache(monkeypatch):
    held = []
    monkeypatch.setattr(
        here, "_shortest", lambda matrices, given, made: held.append(sum(m.nbytes for m in matrices)) or 1
    )
    here.timed(1000)
    assert min(held) >= here.HELD
