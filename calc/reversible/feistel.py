"""A cipher that can be undone although its parts cannot, and how a small difference spreads in it.

A Feistel round adds a function of one half of a block to the other half and swaps them (Feistel, 1973). Whatever the
function, the round is undone by adding once more, which is why a network with the same shape can forget its activations
(`calc.reversible`). Adding is exclusive or of 32-bit halves here, so going back is exact. The cipher is one to look
into, nothing to protect data with: its round substitutes eight nibbles with the S-box of PRESENT (Bogdanov et al.,
2007) and rotates; its keys are random, not scheduled. That S-box happens to have an inverse, which nothing uses: with
`LOSSY` in its place, which sends two nibbles to one, the way back is as exact.

Symbols: (l, r) halves of a block, K key of a round, f round function: one round is (l, r) -> (r, l xor f(r, K)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calc.quantities import draws
from calc.quantities.check import Array, Quantity, Range, Whole, checked, number, single
from calc.quantities.errors import OutOfRange

WORD = Range(0, 2.0**32 - 1, whole=True)
Word: TypeAlias = Annotated[Quantity | NDArray[np.integer[Any]], WORD]
Half: TypeAlias = NDArray[np.uint32]

BLOCK_BITS = 64
ROTATION = 11
SBOX = np.array([0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2], dtype=np.uint32)
LOSSY = SBOX[SBOX & np.uint32(0b1110)]  # looked up twice, with a bit forgotten in between


def round_keys(seed: int, rounds: int) -> Half:
    """One random 32-bit key for each round.

    >>> round_keys(1, 3).shape
    (3,)
    """
    return (draws.bits(seed, rounds) >> np.uint64(32)).astype(np.uint32)


@checked
def substitute(half: Word, key: Word, table: Half = SBOX) -> Half:
    """The round function f: add the key (xor), substitute every nibble by a table, rotate by 11 bits to the left.

    >>> hex(substitute(0, 0))
    '0x66666666'
    """
    return _substitute(_half(half), _half(key), table)


@checked
def encrypt(left: Word, right: Word, keys: Sequence[int] | Half, table: Half = SBOX) -> tuple[Half, Half]:
    """Both halves after one round for each key: (l, r) -> (r, l xor f(r, K)).

    >>> [hex(half) for half in encrypt(0, 0, [0])]
    ['0x0', '0x66666666']
    """
    return halves(left, right, keys, table)[-1]


@checked
def halves(left: Word, right: Word, keys: Sequence[int] | Half, table: Half = SBOX) -> list[tuple[Half, Half]]:
    """Both halves after 0, 1, … rounds.

    >>> [hex(half) for _, half in halves(0, 0, [0, 0])]
    ['0x0', '0x66666666', '0x55555555']
    """
    seen = [(_half(left), _half(right))]
    for key in _keys(keys):
        seen.append(_round(seen[-1], key, table))
    return seen


@checked
def decrypt(left: Word, right: Word, keys: Sequence[int] | Half, table: Half = SBOX) -> tuple[Half, Half]:
    """The halves that `encrypt` was given: the keys from last to first, (l, r) -> (r xor f(l, K), l).

    >>> [int(half) for half in decrypt(*encrypt(1, 2, [3, 4, 5]), [3, 4, 5])]
    [1, 2]
    """
    one, other = _half(left), _half(right)
    for key in _keys(keys)[::-1]:
        one, other = other ^ _substitute(one, key, table), one
    return one, other


@checked
def avalanche(rounds: draws.Some, samples: draws.Some = 2000, bit: Whole = 0, seed: draws.Seed = 1) -> Array:
    """Mean share of a block's 64 bits that differ after 0, 1, … rounds when one input bit is flipped: towards 1/2.

    >>> share = avalanche(16)
    >>> float(share[0]), round(float(share[16]), 2)
    (0.015625, 0.5)
    """
    return np.array(
        [_bits_set(difference).mean() / BLOCK_BITS for difference in _differences(rounds, samples, bit, seed)]
    )


@checked
def differential(rounds: draws.Some, samples: draws.Some = 2000, bit: Whole = 0, seed: draws.Seed = 1) -> Array:
    """How often the commonest output difference occurs after 0, 1, … rounds: 1 at first, then 1 / samples when lost.

    Differential cryptanalysis (Biham and Shamir, 1991) needs a difference that stays likely over all rounds.

    >>> share = differential(8)
    >>> float(share[0]), float(share[8]) < 0.01
    (1.0, True)
    """
    common = [
        np.unique(difference, return_counts=True)[1].max() for difference in _differences(rounds, samples, bit, seed)
    ]
    return np.array(common) / samples


def difference_table(sbox: Half = SBOX) -> NDArray[np.int64]:
    """How many inputs x of an S-box turn an input difference (row) into an output difference (column).

    >>> int(difference_table()[1:].max())
    4
    """
    inputs = np.arange(len(sbox))
    table = np.zeros((len(sbox), len(sbox)), dtype=np.int64)
    for difference in inputs:
        np.add.at(table, (difference, sbox[inputs] ^ sbox[inputs ^ difference]), 1)
    return table


def _differences(rounds: Quantity, samples: Quantity, bit: Quantity, seed: Quantity) -> list[draws.Words]:
    """Exclusive or of the blocks of random pairs one bit apart, after 0, 1, … rounds."""
    if single("bit", bit) >= BLOCK_BITS:
        raise OutOfRange("bit", bit, f"a whole number from 0 to {BLOCK_BITS - 1}")
    blocks = draws.bits(int(single("seed", seed)), int(single("samples", samples)))
    first, second = _halves(blocks), _halves(blocks ^ (np.uint64(1) << np.uint64(int(bit))))
    seen = [_block(*first) ^ _block(*second)]
    for key in round_keys(int(seed) + 1, int(single("rounds", rounds))):
        first, second = _round(first, key, SBOX), _round(second, key, SBOX)
        seen.append(_block(*first) ^ _block(*second))
    return seen


def _substitute(half: Half, key: Half, table: Half) -> Half:
    word = half ^ key
    out = np.zeros_like(word)
    for shift in range(0, 32, 4):
        out |= table[(word >> np.uint32(shift)) & np.uint32(15)] << np.uint32(shift)
    return (out << np.uint32(ROTATION)) | (out >> np.uint32(32 - ROTATION))


def _round(block: tuple[Half, Half], key: Half, table: Half) -> tuple[Half, Half]:
    left, right = block
    return right, left ^ _substitute(right, key, table)


def _halves(blocks: draws.Words) -> tuple[Half, Half]:
    return (blocks >> np.uint64(32)).astype(np.uint32), blocks.astype(np.uint32)


def _block(left: Half, right: Half) -> draws.Words:
    return (left.astype(np.uint64) << np.uint64(32)) | right.astype(np.uint64)


def _bits_set(words: draws.Words) -> NDArray[np.uint8]:
    return np.asarray(np.bitwise_count(words), dtype=np.uint8)


def _half(value: object) -> Half:
    return np.asarray(value, dtype=np.uint32)


def _keys(keys: object) -> Half:
    return np.atleast_1d(_half(number("keys", keys, WORD)))
