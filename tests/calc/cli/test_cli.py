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
from calc.setting.configuration import configuration
from calc.step import decode, decode_times, prefill

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


def test_a_title_says_what_its_bounds_rest_on(values):
    layout = "8 chips: tensor 8 × expert 1 × stages 1"
    for question in ("step", "fits", "price"):
        title = values(question, "llama-3-70b", "hgx-h100", "--batch", "2.5", "--mbu", "0.5")["title"]
        assert f"batch 2.5, 4,096 tokens each, {layout}, MBU 0.5%" in title
        assert "MBU" not in values(question, "llama-3-70b", "hgx-h100")["title"]
    assert values("sweep", "llama-3-70b", "hgx-h100", "--link", "90")["title"].endswith(", links 90%")
    assert "9,216 chips: tensor 9,216" in values("price", "llama-3-70b", "tpu-v7-pod")["title"]


def test_a_price_of_a_whole_domain_says_that_another_layout_may_cost_less(values):
    words = ["price", "llama-3-70b", "tpu-v7-pod"]
    usual, laid = values(*words), values(*words, "--tensor", "8")
    assert number(usual, "output") > 100 * number(laid, "output")
    assert [any("another layout may cost less" in note for note in each["notes"]) for each in (usual, laid)] == [1, 0]


def test_a_step_is_forecast_as_the_library_forecasts_it(values):
    found = values("step", "llama-3-70b", "hgx-h100", "--batch", "64", "--context", "8192")
    times = decode_times("llama-3-70b", "hgx-h100", "fp8", batch=64, context=8192)
    for name in ("expected", "expected_low", "expected_high"):
        assert number(found, name) == getattr(times, f"{name}_seconds")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["kimi-k2", "hgx-h100"], "The weights alone"),
        (["llama-3-70b", "hgx-h100", "--mbu", "50"], "No forecast: "),
        (["llama-3-70b", "hgx-h100", "--stages", "2"], "No forecast: "),
    ],
)
def test_a_step_without_a_forecast_says_why(values, words, why):
    found = values("step", *words)
    assert "expected" not in found["values"]
    assert any(note.startswith(why) for note in found["notes"])


def test_a_forecast_of_a_system_that_nobody_has_measured_has_no_band(values):
    found = values("step", "llama-3-70b", "mi300x-8")
    assert "expected" in found["values"]
    assert "expected_low" not in found["values"]
    assert found["notes"][-1].startswith("No run on this system")


def test_formats_may_be_a_usual_choice_of_several(values):
    found = values("step", "llama-3-70b", "hgx-h100", "--batch", "64", "--precision", "FP8-BF16-cache")
    expected = decode(Setting.published("llama-3-70b", "hgx-h100", "fp8-bf16-cache"), 64, 4096)
    assert number(found, "bound") == expected.bound_seconds
    assert "FP8-BF16-CACHE" in found["title"]


def test_a_step_of_a_published_configuration_says_what_it_assumed(values, tmp_path):
    file = tmp_path / "config.json"
    written = configuration("gpt-oss-120b")
    del written["layer_types"]
    file.write_text(json.dumps(written))
    found, known = (values("step", name, "hgx-h100", "--batch", "64") for name in (str(file), "gpt-oss-120b"))
    assert number(found, "expected") == pytest.approx(number(known, "expected"))
    for question in ("step", "fits", "price", "sweep"):
        assert "layer_types is not given: 18 of 36 layers" in values(question, str(file), "hgx-h100")["notes"][0]


def test_counts_are_told_in_full(ask):
    told = ask("catalog", "models", "kimi-k2")[1]
    assert all(count in told for count in ("7,168", "2,048", "1,536", "163,840 tokens"))
    assert "9,216" in ask("catalog", "systems", "tpu-v7-pod")[1].split("\n\n")[1]
    assert [Value("", count, "").text for count in (16384.0, 999999.0, 1234567.0, 5441.2)] == [
        "16,384",
        "999,999",
        "1,230,000",
        "5,440",
    ]
    assert Value("", 70272.0, "B").text == "70.3 kB"


def test_all_figures_are_listed_and_models_that_nothing_can_serve(values):
    assert [row["figure"] for row in values("figure")["rows"]] == [each.name for each in registry.every()]
    note = values("catalog", "models")["notes"][0]
    assert "gpt-4-rumour" in note
    assert "kimi-k2," not in note
    assert values("claims", "--chapter", "serving").get("rows") is None


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
        ("step deepseek-v3 hgx-h10", "system must be one of .*, hgx-h100, .* (did you mean"),
        ("step deepseek-v3 hgx-h100 --batch 5m", "argument --batch: must be a number without a unit; it was “5m”."),
        ("step deepseek-v3 hgx-h100 --batch 0", "batch must be a finite number above 0; it was 0.0."),
        ("step deepseek-v3 hgx-h100 --batch=-5", "argument --batch: must be from 0 to 1T; it was “-5”."),
        ("step deepseek-v3 hgx-h100 --context nan", "argument --context: must be a number, such as"),
        ("step deepseek-v3 hgx-h100 --mfu 200%", "argument --mfu: must be from 0.01% to 100%; it was “200%”."),
        ("step deepseek-v3 hgx-h100 --mbu 150", "argument --mbu: must be from 0.01% to 100%; it was “150”."),
        ("step deepseek-v3 hgx-h100 --mfu 0", "argument --mfu: must be from 0.01% to 100%; it was “0”."),
        ("step deepseek-v3 hgx-h100 --batch 1e300", "argument --batch: must be from 0 to 1T; it was “1e300”."),
        ("step deepseek-v3 hgx-h100 --batch 1,5", "a number without a unit, its decimals after a point; it was “1,5”."),
        ("step deepseek-v3 hgx-h100 --precision fp9", "precision must be one of bf16, .*, fp8-bf16-cache, "),
        ("step deepseek-v3 hgx-h100 --tensor 1.5", "tensor must be a whole number of at least 1"),
        ("step deepseek-v3 hgx-h100 --stages 62", "pipeline must be at most the number of layers, 61; it was 62.0."),
        ("step deepseek-v3 hgx-h100 --bach 16", "unrecognized arguments: --bach 16."),
        ("step gpt-4-rumour hgx-h100", "gpt-4-rumour must be a row whose “d_model” is known"),
        ("fits kimi-k2 hgx-h100 --expert 999", "expert must be at most the number of routed experts"),
        (
            "price kimi-k2 hgx-h100 --sheet claude",
            "price must be one of .* names, which `rooflines catalog prices` lists",
        ),
        ("claims Z9", "claim must be one of .* names, which `rooflines claims` lists; it was “Z9”."),
        ("claims --verdict wrong", "verdict must be one of"),
        ("claims --chapter batchin", "chapter must be one of"),
        ("catalog chip", "table must be one of announced, chips, .* (did you mean “chips”?); it was “chip”."),
        ("catalog chips h100", "name must be one of .*, h100-sxm, "),
        (
            "step none.json hgx-h100",
            "file must be one that can be read (No such file or directory); it was “none.json”.",
        ),
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


def test_a_share_is_a_fraction_of_one_for_programs_and_has_no_unit():
    share = Value("Waits", 0.273, "%")
    found = json.loads(Report("Title", {"idle": share}, [{"idle": share}]).json())
    assert found["values"]["idle"] == {"label": "Waits", "value": 0.273, "unit": "", "text": "27.3%"}
    assert (found["rows"], found["units"]) == ([{"idle": 0.273}], {})


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


def test_a_cost_says_at_which_rent_and_a_figure_at_which_inputs(ask):
    asked = ["model=llama-3-70b", "system=hgx-h100", "batch=64", "price=3.65"]
    status, out, _ = ask("figure", "serving/sheet", *asked)
    assert status == 0
    assert out.startswith("At $3.65 a chip-hour a million tokens should cost ")
    told = out.splitlines()[-1].removeprefix("Inputs: ").removesuffix(".").split()
    assert {*asked, "cached=50"} <= set(told)
    assert ask("figure", "serving/sheet", *told)[1] == out


def test_the_example_of_a_cost_takes_the_rent_of_its_own_chips():
    words = next(line for line in EPILOG.splitlines() if "serving/sheet" in line).split()
    given = dict(word.split("=") for word in words if "=" in word)
    assert float(given["price"]) == catalog.rent(given["system"]).dollars_per_chip_hour


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["batching/step-time", "--matters", "stop"], "did you mean “step”"),
        (["nowhere/sheet"], "figure must be one of batching/…, "),
        (["serving/sheat"], "serving/roofline, serving/sheet, "),
        (["serving/sheet", "batch"], "written name=value"),
        (["serving/sheet", "rent=3"], "price, promise, system"),
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
