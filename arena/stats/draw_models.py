"""Three ways to count draws in a Bradley-Terry model, each with its derivatives.

d is the advantage of the first bot in natural units: rating difference plus seat term.
* "half": a draw is half a win and half a loss, P(win) = 1 / (1 + exp(-d)).
* "davidson" (Davidson 1970): win : draw : loss = exp(d/2) : exp(v) : exp(-d/2).
* "rao-kupper" (Rao, Kupper 1967): P(win) = 1 / (1 + exp(v - d)), P(loss) = 1 / (1 + exp(v + d)),
  v > 0 is half the width of the draw threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

import numpy as np
from scipy.special import expit, log_expit

from arena.stats.arrays import Floats

DrawModel = Literal["half", "davidson", "rao-kupper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTerms:
    """log P of loss, draw, win (axis 1) at each d, with derivatives by d and v.

    `value` float64[r,3]; `by_d`, `by_v` its gradient; `by_dd`, `by_dv`, `by_vv` its Hessian, all
    float64[r,3]; `chance` float64[r,3] the probabilities ("half": of loss, 0, win).
    """

    value: Floats
    by_d: Floats
    by_v: Floats
    by_dd: Floats
    by_dv: Floats
    by_vv: Floats
    chance: Floats

    @property
    def expected(self) -> Floats:
        """Expected points of the first bot, float64[r]."""
        return self.chance[:, 2] + 0.5 * self.chance[:, 1]


def outcome_terms(model: DrawModel, d: Floats, v: float) -> OutcomeTerms:
    """Return the terms of `model` at advantages d float64[r] and draw parameter v."""
    if model == "half":
        return _half(d)
    if model == "davidson":
        return _davidson(d, v)
    if model == "rao-kupper":
        return _rao_kupper(d, v)
    assert_never(model)


def _columns(*columns: Floats) -> Floats:
    return np.stack(columns, axis=1)


def _half(d: Floats) -> OutcomeTerms:
    win = expit(d)
    zero = np.zeros((len(d), 3))
    lost, won = log_expit(-d), log_expit(d)
    curve = np.repeat((-win * (1.0 - win))[:, None], 3, axis=1)
    return OutcomeTerms(
        value=_columns(lost, 0.5 * (lost + won), won),
        by_d=_columns(-win, 0.5 - win, 1.0 - win),
        by_v=zero,
        by_dd=curve,
        by_dv=zero,
        by_vv=zero,
        chance=_columns(1.0 - win, 0.0 * win, win),
    )


def _davidson(d: Floats, v: float) -> OutcomeTerms:
    weights = _columns(-0.5 * d, np.full_like(d, v), 0.5 * d)
    value = weights - np.logaddexp.reduce(weights, axis=1)[:, None]
    chance = np.exp(value)
    mean_d = 0.5 * (chance[:, 2] - chance[:, 0])
    draw = chance[:, 1]
    even = [0.25 * (1.0 - draw) - mean_d**2, -mean_d * draw, draw * (1.0 - draw)]
    by_dd, by_dv, by_vv = (np.repeat(-term[:, None], 3, axis=1) for term in even)
    return OutcomeTerms(
        value=value,
        by_d=np.array([-0.5, 0.0, 0.5]) - mean_d[:, None],
        by_v=np.array([0.0, 1.0, 0.0]) - draw[:, None],
        by_dd=by_dd,
        by_dv=by_dv,
        by_vv=by_vv,
        chance=chance,
    )


def _rao_kupper(d: Floats, v: float) -> OutcomeTerms:
    win, loss = expit(d - v), expit(-d - v)
    won, lost = log_expit(d - v), log_expit(-d - v)
    width = -np.expm1(-2.0 * v)
    curve_won, curve_lost = -win * (1.0 - win), -loss * (1.0 - loss)
    draw_value = 2.0 * v + np.log(width) + won + lost
    slope = 2.0 / width
    bend = -4.0 * np.exp(-2.0 * v) / width**2
    return OutcomeTerms(
        value=_columns(lost, draw_value, won),
        by_d=_columns(loss - 1.0, loss - win, 1.0 - win),
        by_v=_columns(loss - 1.0, slope - 2.0 + win + loss, win - 1.0),
        by_dd=_columns(curve_lost, curve_won + curve_lost, curve_won),
        by_dv=_columns(curve_lost, curve_lost - curve_won, -curve_won),
        by_vv=_columns(curve_lost, bend + curve_won + curve_lost, curve_won),
        chance=_columns(loss, np.exp(draw_value), win),
    )
