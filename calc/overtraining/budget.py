"""How long a model should be trained that will be reinforced and served.

A model of N active parameters is trained on D tokens, reinforced on D_rl and serves T over its life. Each is paid for
in operations, and a token that is decoded costs more of them than a token that is trained on, because decoding keeps
the multipliers less busy. The lecture spends alike on the three; `calc.overtraining.lifetime` holds the exact optimum
against it.

Symbols: N active parameters, D, D_rl, T tokens, c operations per parameter and token (training 6, inference 2,
reinforcement c_rl from 2 up), e_rl and e_T efficiency against pre-training. Left out: attention, data that runs out,
and whatever a token of reinforcement teaches that a token of pre-training does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from calc.quantities.check import NonNegative, Positive, Quantity, Share, checked

FORWARD = 2.0
BACKWARD = 4.0
TOKENS_PER_PARAM = 20.0


@checked
def training_operations(params: Positive, tokens: NonNegative) -> Quantity:
    """Operations of training: 6 N D, two forward and four backward per parameter and token (Kaplan et al., 2020).

    >>> training_operations(1e9, 1e9)
    6e+18
    """
    return (FORWARD + BACKWARD) * params * tokens


@checked
def inference_operations(params: Positive, tokens: NonNegative) -> Quantity:
    """Operations of reading or writing tokens without learning from them: 2 N T.

    >>> inference_operations(1e9, 1e9)
    2e+18
    """
    return FORWARD * params * tokens


@checked
def rl_factor(trained_share: Share, repeated_forward: Share = 0.0) -> Quantity:
    """Operations per parameter and generated token of reinforcement: 2 + (4 + 2 f) s.

    Every token is generated, at 2. The share s that is learned from goes backward, at 4; if the trainer does not
    trust the generator's activations (f = 1), it goes forward once more. The lecture's range is 2 to 6.

    >>> rl_factor(0), rl_factor(0.5), rl_factor(1), rl_factor(1, repeated_forward=1)
    (2.0, 4.0, 6.0, 8.0)
    """
    return FORWARD + (BACKWARD + FORWARD * repeated_forward) * trained_share


@checked
def rl_operations(params: Positive, tokens: NonNegative, factor: Positive) -> Quantity:
    """Operations of reinforcement: c_rl N D_rl, with the factor of `rl_factor`.

    >>> rl_operations(1e9, 1e9, 4)
    4e+18
    """
    return factor * params * tokens


@dataclass(frozen=True)
class TokenBudget:
    """Tokens of a model's three lives."""

    pretraining: Quantity
    reinforcement: Quantity
    serving: Quantity


@checked
def equalised_tokens(
    pretraining_tokens: Positive,
    *,
    rl_factor: Positive,
    rl_efficiency: Positive = 1.0,
    serving_efficiency: Positive = 1.0,
    rl_cost_ratio: NonNegative = 1.0,
    serving_cost_ratio: NonNegative = 1.0,
) -> TokenBudget:
    """Tokens for which reinforcement and serving cost as much as pre-training, or a given multiple of it.

    6 D = c_rl D_rl / e_rl = 2 T / e_T if both ratios are 1. The equality is a heuristic: the sum of a rising and a
    falling cost is least where they are equal only if one rises as fast as the other falls.

    >>> equalised_tokens(6e12, rl_factor=3, rl_efficiency=0.5, serving_efficiency=0.5)
    TokenBudget(pretraining=6000000000000.0, reinforcement=6000000000000.0, serving=9000000000000.0)
    """
    cost = (FORWARD + BACKWARD) * pretraining_tokens
    return TokenBudget(
        pretraining=pretraining_tokens,
        reinforcement=rl_cost_ratio * cost * rl_efficiency / rl_factor,
        serving=serving_cost_ratio * cost * serving_efficiency / FORWARD,
    )


@checked
def pretraining_tokens_for(
    served_tokens: NonNegative, serving_efficiency: Positive = 1.0, serving_cost_ratio: Positive = 1.0
) -> Quantity:
    """Tokens to train on so that serving costs `serving_cost_ratio` times as much: D = 2 T / (6 e_T x ratio).

    >>> pretraining_tokens_for(300e12)
    100000000000000.0
    """
    return FORWARD * served_tokens / (FORWARD + BACKWARD) / serving_efficiency / serving_cost_ratio


@checked
def forward_tokens(
    served_tokens: NonNegative,
    serving_efficiency: Positive = 1.0,
    *,
    rl_tokens: NonNegative = 0.0,
    rl_factor: Positive = FORWARD + BACKWARD,
    rl_efficiency: Positive = 1.0,
) -> Quantity:
    """Tokens of plain inference, at the efficiency of training, that cost what serving and reinforcement cost together.

    T / e_T + (c_rl / 2) D_rl / e_rl: the one number about a model's later life that its optimal size depends on.

    >>> forward_tokens(100e12, 0.5, rl_tokens=50e12, rl_factor=4, rl_efficiency=0.5)
    400000000000000.0
    """
    return served_tokens / serving_efficiency + rl_factor / FORWARD * rl_tokens / rl_efficiency


@checked
def served_tokens(tokens_per_second: NonNegative, seconds: NonNegative) -> Quantity:
    """Tokens that a service hands out over its life: rate x time.

    >>> served_tokens(1e6, 86400)
    86400000000.0
    """
    return tokens_per_second * seconds


@checked
def chinchilla_tokens(params: Positive, tokens_per_param: Positive = TOKENS_PER_PARAM) -> Quantity:
    """Tokens that make N parameters compute-optimal by the rule of thumb: 20 N (Hoffmann et al., 2022).

    >>> chinchilla_tokens(70e9)
    1400000000000.0
    """
    return tokens_per_param * params


@checked
def overtraining_factor(params: Positive, tokens: Positive, tokens_per_param: Positive = TOKENS_PER_PARAM) -> Quantity:
    """How many times more tokens than the rule of thumb a model was trained on: D / (20 N).

    At equal size this is also how many times more the training cost. Say which parameters were counted: by active
    ones a mixture of experts looks far more over-trained than by all of them.

    >>> overtraining_factor(100e9, 200e12)
    100.0
    """
    return tokens / tokens_per_param / params
