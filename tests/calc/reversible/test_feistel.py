import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.quantities import draws
from calc.quantities.errors import CalcError
from calc.reversible import feistel
from calc.reversible.feistel import (
    avalanche,
    decrypt,
    difference_table,
    differential,
    encrypt,
    halves,
    round_keys,
    substitute,
)

WORDS = st.integers(0, 2**32 - 1)
KEYS = st.lists(WORDS, min_size=1, max_size=12)
MANY = settings(max_examples=40, deadline=None)


class TestCipher:
    @MANY
    @given(WORDS, WORDS, KEYS)
    def test_the_way_back_is_exact(self, left, right, keys):
        assert [int(half) for half in decrypt(*encrypt(left, right, keys), keys)] == [left, right]

    @MANY
    @given(WORDS, WORDS, KEYS)
    def test_and_so_is_the_way_there(self, left, right, keys):
        assert [int(half) for half in encrypt(*decrypt(left, right, keys), keys)] == [left, right]

    @MANY
    @given(WORDS, WORDS, WORDS)
    def test_one_round_swaps_and_adds_the_function(self, left, right, key):
        one, other = encrypt(left, right, [key])
        assert (int(one), int(other)) == (right, left ^ int(substitute(right, key)))

    @MANY
    @given(WORDS, WORDS, KEYS)
    def test_the_states_are_those_of_the_first_rounds(self, left, right, keys):
        seen = halves(left, right, keys)
        assert seen[0] == (left, right)
        assert seen[1:] == [encrypt(left, right, keys[:count]) for count in range(1, len(keys) + 1)]

    @MANY
    @given(WORDS, WORDS, KEYS, KEYS)
    def test_rounds_follow_one_another(self, left, right, first, second):
        whole = encrypt(left, right, first + second)
        assert [int(half) for half in whole] == [int(half) for half in encrypt(*encrypt(left, right, first), second)]

    @MANY
    @given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5), KEYS)
    def test_an_array_is_its_elements(self, blocks, keys):
        lefts, rights = zip(*blocks, strict=True)
        together = np.transpose(encrypt(list(lefts), list(rights), keys)).tolist()
        assert together == [[int(half) for half in encrypt(*block, keys)] for block in blocks]

    @MANY
    @given(WORDS, WORDS, KEYS)
    def test_it_undoes_a_function_that_cannot_be_undone(self, left, right, keys):
        """Two nibbles share each substitute, so eight of them lose as many bits: the round forgets, the cipher not."""
        assert len(np.unique(feistel.LOSSY)) == len(feistel.SBOX) / 2 == len(np.unique(feistel.SBOX)) / 2
        code = encrypt(left, right, keys, feistel.LOSSY)
        assert [int(half) for half in decrypt(*code, keys, feistel.LOSSY)] == [left, right]

    def test_another_table_makes_another_cipher(self):
        there, other = (encrypt(7, 9, [1, 2, 3], table) for table in (feistel.SBOX, feistel.LOSSY))
        assert there != other
        assert int(substitute(1, 0, feistel.LOSSY)) == int(substitute(12, 0, feistel.LOSSY)) != int(substitute(1, 0))

    def test_the_lossy_table_sends_two_nibbles_to_each_outcome_and_mixes_all_the_same(self):
        assert (np.unique(feistel.LOSSY, return_counts=True)[1] == 2).all()
        left, right = (draws.bits(seed, 500) >> np.uint64(32) for seed in (1, 2))
        twins = [encrypt(left, half, round_keys(3, 16), feistel.LOSSY) for half in (right, right ^ np.uint64(1))]
        flips = sum(np.bitwise_count(one ^ other) for one, other in zip(*twins, strict=True))
        assert flips.mean() == pytest.approx(32, abs=1)

    def test_the_keys_matter_and_so_does_their_order(self):
        results = [tuple(int(half) for half in encrypt(1, 2, keys)) for keys in ([3, 4, 5], [3, 4, 6], [5, 4, 3])]
        assert len(set(results)) == 3

    def test_drawn_keys_are_those_of_their_seed(self):
        assert round_keys(5, 8).dtype == np.uint32
        assert round_keys(5, 8).tolist() == round_keys(5, 9)[:8].tolist()
        assert len({*round_keys(5, 8).tolist(), *round_keys(6, 8).tolist()}) == 16
        assert round_keys(1, 64).max() >= 2**31  # the upper half of a word, not a number cut to 32 bits


class TestSubstitution:
    PRESENT = "C56B90AD3EF84712"

    def test_the_s_box_is_that_of_present(self):
        """Bogdanov et al. (2007), the table of the sBoxlayer."""
        assert "".join(f"{int(value):X}" for value in feistel.SBOX) == self.PRESENT

    @pytest.mark.parametrize("nibble", range(16))
    @pytest.mark.parametrize("place", range(8))
    def test_each_nibble_is_substituted_in_place_and_then_rotated(self, nibble, place):
        word = sum((nibble if here == place else 0) << 4 * here for here in range(8))
        out = sum(int((self.PRESENT[nibble] if here == place else "C"), 16) << 4 * here for here in range(8))
        assert int(substitute(word, 0)) == ((out << 11) | (out >> 21)) & 0xFFFFFFFF

    @MANY
    @given(WORDS, WORDS)
    def test_the_key_is_added_before(self, half, key):
        assert int(substitute(half, key)) == int(substitute(half ^ key, 0))


class TestDifferences:
    def test_the_difference_table_of_present(self):
        """Bogdanov et al. (2007), criteria of the S-box: no difference turns into another for more than 4 of 16 inputs.

        And no difference of one bit turns into one of one bit.
        """
        table = difference_table()
        assert table.shape == (16, 16)
        assert table[0].tolist() == [16] + [0] * 15
        assert table[1:].max() == 4
        assert (table.sum(0) == 16).all()
        assert (table.sum(1) == 16).all()
        single = [1, 2, 4, 8]
        assert table[np.ix_(single, single)].max() == 0

    def test_a_linear_box_keeps_every_difference_certain(self):
        assert difference_table(np.arange(16, dtype=np.uint32)).max(1).tolist() == [16] * 16

    def test_one_flipped_bit_becomes_half_of_them(self):
        share = avalanche(16)
        assert share[0] == 1 / 64
        assert (np.diff(share[:8]) > 0).all()
        assert share[10:] == pytest.approx(0.5, abs=0.01)
        assert len(share) == 17

    def test_a_flip_in_the_left_half_waits_a_round(self):
        """(l, r) -> (r, l xor f(r)): the difference only moves over, certain and one bit wide."""
        assert avalanche(3, bit=40)[:2].tolist() == [1 / 64, 1 / 64]
        assert differential(3, bit=40)[:2].tolist() == [1, 1]
        assert avalanche(3, bit=40)[2:] == pytest.approx(avalanche(2, bit=8)[1:], abs=0.02)

    def test_one_active_s_box_keeps_a_difference_with_a_quarter(self):
        """The table's largest entry over 16: 4 / 16."""
        assert differential(1, samples=20_000)[1] == pytest.approx(4 / 16, abs=0.02)

    def test_a_difference_becomes_less_likely_with_every_round_until_it_is_lost(self):
        common = differential(10, samples=1000)
        assert common[0] == 1
        assert (np.diff(common) <= 0).all()
        assert common[10] <= 2 / 1000

    def test_the_first_round_changes_only_what_one_s_box_can_reach(self):
        """A flip in the right half stays there (1 bit) and changes 1 to 4 of the bits that it is added to."""
        assert 2 / 64 <= avalanche(1, bit=3)[1] <= 5 / 64

    @pytest.mark.parametrize("bit", range(64))
    def test_each_of_the_64_bits_can_be_flipped(self, bit):
        assert avalanche(1, samples=20, bit=bit)[0] == 1 / 64

    def test_what_is_left_out_is_said_in_the_signature(self):
        for measure in (avalanche, differential):
            assert measure(3).tolist() == measure(3, samples=2000, bit=0, seed=1).tolist()

    def test_the_same_seed_gives_the_same_measurement(self):
        assert avalanche(4, seed=9).tolist() == avalanche(4, seed=9).tolist()
        assert avalanche(4, seed=9).tolist() != avalanche(4, seed=10).tolist()


@pytest.mark.parametrize("bad", [-1, 2**32, 0.5, float("nan"), "x", [], None])
class TestBadWords:
    @pytest.mark.parametrize("call", [encrypt, decrypt])
    @pytest.mark.parametrize("name", ["left", "right", "keys"])
    def test_are_named(self, call, name, bad):
        with pytest.raises(CalcError, match=f"^{name} must be "):
            call(**({"left": 1, "right": 2, "keys": [3]} | {name: bad}))

    @pytest.mark.parametrize("name", ["half", "key"])
    def test_are_named_by_the_round_function_too(self, name, bad):
        with pytest.raises(CalcError, match=f"^{name} must be "):
            substitute(**({"half": 1, "key": 2} | {name: bad}))


@pytest.mark.parametrize("measure", [avalanche, differential])
@pytest.mark.parametrize("name", ["rounds", "samples", "bit", "seed"])
@pytest.mark.parametrize("bad", [-1, 0.5, float("inf"), "x", [1, 2]])
def test_bad_measurements_are_named(measure, name, bad):
    with pytest.raises(CalcError, match=f"^{name} must be "):
        measure(**({"rounds": 1, "samples": 10} | {name: bad}))


@pytest.mark.parametrize("measure", [avalanche, differential])
def test_a_block_has_64_bits(measure):
    assert len(measure(1, samples=10, bit=63)) == 2
    with pytest.raises(CalcError, match="bit must be a whole number from 0 to 63; it was 64"):
        measure(1, samples=10, bit=64)


def test_halves_of_different_shape_are_refused():
    with pytest.raises(CalcError, match="left must be an array that combines with right"):
        encrypt([1, 2], [1, 2, 3], [4])
