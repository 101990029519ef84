"""One rating per bot over all rulesets: a random-effects fit of the standings.

In ruleset k bot i has strength m_i + u_ki; the games of k tell it up to a common shift with the
covariance V_k of its standings, and u_ki ~ N(0, T^2 / w_k): a ruleset of weight 2 strays from the
bot's rating like the mean of two.  Shifts are removed by contrasts, T^2 is found by restricted
maximum likelihood (Patterson, Thompson 1971), m by generalised least squares.  Intervals are those
of Hartung and Knapp (2001), each bot with its own residuals, moderated by those of the others,
and t quantiles: they hold for the mean over all rulesets of this kind, not only over those played.
They are never narrower than the games alone allow: with few rulesets that happen to agree, the
residuals would promise more than was played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, polygamma

from arena.stats.arrays import Bools, Floats, Ints, level, numbers
from arena.stats.connection import Bound
from arena.stats.errors import StatsError
from arena.stats.roots import root_between
from arena.stats.tails import chi_square_bounds, normal_upper, student_upper

FEWEST_TO_MODERATE = 4
"""With fewer bots than this, each rests on its own residuals alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetRatings:
    """Ratings of n bots in k rulesets: `ratings` float64[k,n], `covariances` float64[k,n,n] in Elo.

    `present` bool[k,n] says which bots were rated in which ruleset; `weights` float64[k] > 0.
    """

    ratings: Floats
    covariances: Floats
    present: Bools
    weights: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallRatings:
    """Ratings of n bots over k rulesets, summing to zero, in Elo.

    `ratings`, `errors`, `low`, `high`, `freedom` float64[n] and `covariance` float64[n,n]: the mean
    over rulesets of this kind.  `here`, `here_errors` float64[n]: the weighted mean over just these
    rulesets, whose only error is that of the games.  `common_spread` is T; `spread`, `spread_low`,
    `spread_high` float64[n] the same for each bot alone: small for a generalist, large for a
    specialist.  `rulesets` int64[n] counts where the bot was rated; with one only, its errors rest
    on the spread of the others, and `spread` is that.  `residuals` float64[k,n] say in which
    ruleset a bot is better than its rating; 0 where it was not rated.
    """

    ratings: Floats
    errors: Floats
    low: Floats
    high: Floats
    freedom: Floats
    covariance: Floats
    here: Floats
    here_errors: Floats
    common_spread: float
    spread: Floats
    spread_low: Floats
    spread_high: Floats
    rulesets: Ints
    residuals: Floats
    weights: Floats
    confidence: float


class RatedRuleset(Protocol):
    """Standings of one ruleset, with two seats or more."""

    @property
    def ratings(self) -> Floats: ...  # noqa: D102
    @property
    def covariance(self) -> Floats: ...  # noqa: D102
    @property
    def games(self) -> Ints: ...  # noqa: D102
    @property
    def bounds(self) -> tuple[Bound, ...]: ...  # noqa: D102


def ruleset_ratings(
    standings: Sequence[RatedRuleset], *, weights: ArrayLike | None = None
) -> RulesetRatings:
    """Return the standings of k rulesets, over the same n bots, as one record.

    A bot without games, or not connected to the others, is not present.  `weights` are 1 unless
    given.  Raises StatsError for fewer than two rulesets, unequal bots or a weight that is not
    positive.
    """
    if len(standings) < 2:
        raise StatsError(f"an overall rating needs at least 2 rulesets, not {len(standings)}")
    if len({len(ruleset.ratings) for ruleset in standings}) > 1:
        raise StatsError("all rulesets must number the same bots")
    given = np.ones(len(standings)) if weights is None else numbers(weights, name="weights")
    if given.shape != (len(standings),) or np.any(given <= 0.0):
        raise StatsError(f"{len(standings)} positive weights are needed, one for each ruleset")
    present = [
        [g > 0 and b is not Bound.UNCONNECTED for g, b in zip(r.games, r.bounds, strict=True)]
        for r in standings
    ]
    return RulesetRatings(
        ratings=np.stack([ruleset.ratings for ruleset in standings]),
        covariances=np.stack([ruleset.covariance for ruleset in standings]),
        present=np.array(present, dtype=np.bool_),
        weights=given,
    )


def rate_across(data: RulesetRatings, *, confidence: float = 0.95) -> OverallRatings:
    """Fit the overall ratings; see OverallRatings for what comes out.

    Raises StatsError where the rulesets have no bots in common through which all can be compared.
    """
    alpha = (1.0 - level(confidence)) / 2.0
    model = _Contrasts.of(data)
    variance = _likeliest_variance(model, data)
    fit = _generalised_least_squares(model, variance)
    rulesets = data.present.sum(0)
    residual = np.stack([q.T @ r for q, r in zip(model.contrasts, fit.misses, strict=True)])
    scale, freedom = _bot_scale(model, fit, residual, rulesets)
    root = np.sqrt(scale)
    covariance = fit.covariance * root[:, None] * root[None, :]
    errors = np.sqrt(np.diag(covariance))
    shifts = _shifts(data, fit.ratings)
    here, here_errors = _played_mean(data, shifts)
    half = np.maximum(student_upper(alpha, freedom) * errors, normal_upper(alpha) * here_errors)
    spread = _spreads(data, shifts, float(np.sqrt(variance)), alpha)
    return OverallRatings(
        ratings=fit.ratings,
        errors=errors,
        low=fit.ratings - half,
        high=fit.ratings + half,
        freedom=freedom,
        covariance=covariance,
        here=here,
        here_errors=here_errors,
        common_spread=float(np.sqrt(variance)),
        spread=spread[0],
        spread_low=spread[1],
        spread_high=spread[2],
        rulesets=rulesets.astype(np.int64),
        residuals=residual,
        weights=data.weights,
        confidence=confidence,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contrasts:
    """Each ruleset without its shift: z_k = Q_k y_k, with noise Q_k V_k Q_k' + T^2/w_k.

    `basis` float64[n,n-1] spans the ratings that sum to zero.
    """

    contrasts: tuple[Floats, ...]
    seen: tuple[Floats, ...]
    noise: tuple[Floats, ...]
    weights: Floats
    basis: Floats

    @classmethod
    def of(cls, data: RulesetRatings) -> _Contrasts:
        from scipy.linalg import null_space  # takes long to import

        contrasts = []
        for row in data.present:
            some = np.zeros((max(int(row.sum()) - 1, 0), len(row)))
            if row.sum() > 1:
                some[:, row] = null_space(np.ones((1, int(row.sum())))).T
            contrasts.append(some)
        basis = np.asarray(null_space(np.ones((1, data.present.shape[1]))))
        stacked = np.concatenate(contrasts) @ basis
        if np.linalg.matrix_rank(stacked) < basis.shape[1]:
            raise StatsError("the rulesets have no bots in common that link all bots to each other")
        return cls(
            contrasts=tuple(contrasts),
            seen=tuple(q @ y for q, y in zip(contrasts, data.ratings, strict=True)),
            noise=tuple(q @ v @ q.T for q, v in zip(contrasts, data.covariances, strict=True)),
            weights=data.weights,
            basis=basis,
        )

    def covariances(self, variance: float) -> list[Floats]:
        """Covariance of each z_k when T^2 is `variance`."""
        pairs = zip(self.noise, self.weights, strict=True)
        return [noise + np.eye(len(noise)) * variance / weight for noise, weight in pairs]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    """Generalised least squares at one T^2; `misses` are z_k - Q_k m."""

    ratings: Floats
    covariance: Floats
    misses: tuple[Floats, ...]
    spans: tuple[Floats, ...]
    restricted: float


def _generalised_least_squares(model: _Contrasts, variance: float) -> _Fit:
    from scipy.linalg import cho_factor, cho_solve  # takes long to import

    spans = model.covariances(variance)
    factors = [cho_factor(span) for span in spans]
    designs = [q @ model.basis for q in model.contrasts]
    solved = [cho_solve(f, d) for f, d in zip(factors, designs, strict=True)]
    information = np.sum([d.T @ x for d, x in zip(designs, solved, strict=True)], axis=0)
    force = np.sum([x.T @ z for x, z in zip(solved, model.seen, strict=True)], axis=0)
    found = np.linalg.solve(information, force)
    misses = tuple(z - d @ found for z, d in zip(model.seen, designs, strict=True))
    restricted = float(np.linalg.slogdet(information)[1])
    for factor, miss in zip(factors, misses, strict=True):
        restricted += 2.0 * float(np.log(np.diag(factor[0])).sum())
        restricted += float(miss @ cho_solve(factor, miss))
    return _Fit(
        ratings=model.basis @ found,
        covariance=model.basis @ np.linalg.inv(information) @ model.basis.T,
        misses=misses,
        spans=tuple(spans),
        restricted=restricted,
    )


def _likeliest_variance(model: _Contrasts, data: RulesetRatings) -> float:
    """Return T^2 of greatest restricted likelihood; 0 where the games explain all differences."""
    from scipy.optimize import minimize_scalar  # takes long to import

    far = 4.0 * float(np.ptp(data.ratings[data.present])) + 1.0

    def loss(spread: float) -> float:
        return _generalised_least_squares(model, spread**2).restricted

    floor = 1e-6 * far
    best = minimize_scalar(loss, bounds=(floor, far), method="bounded", options={"xatol": 1e-2})
    return 0.0 if loss(floor) <= float(best.fun) else float(best.x) ** 2


def _bot_scale(
    model: _Contrasts, fit: _Fit, residual: Floats, rulesets: Ints
) -> tuple[Floats, Floats]:
    """Hartung and Knapp's factor on each bot's variance, and its degrees of freedom.

    The factors are moderated (Smyth 2004): each is the mean of the bot's own, with the weight of
    its rulesets less one, and of a common one, with a weight that is small where the bots differ
    in spread by more than chance.  A bot seen once takes the common one.
    """
    expected = np.stack(
        [np.diag(q.T @ s @ q) for q, s in zip(model.contrasts, fit.spans, strict=True)]
    )
    square = np.divide(residual**2, expected, out=np.zeros_like(residual), where=expected > 0.0)
    spare = rulesets - 1.0
    own = np.maximum(square.sum(0) / np.maximum(spare, 1.0), 1e-12)
    pooled = float(max(sum(map(len, fit.misses)) - (len(fit.ratings) - 1), 1))
    if (spare > 0.0).sum() < FEWEST_TO_MODERATE:
        return np.where(spare > 0.0, own, 1.0), np.where(spare > 0.0, spare, pooled)
    seen = np.asarray(spare > 0.0)
    common, weight = _moderation(own[seen], np.asarray(spare[seen]), 0.5 * pooled)
    freedom = np.minimum(spare + weight, pooled)
    return (spare * own + weight * common) / (spare + weight), freedom


def _moderation(own: Floats, spare: Floats, most: float) -> tuple[float, float]:
    """Return the common factor and its weight in degrees of freedom (Smyth 2004, 6.2).

    The weight is at most half the freedom of all bots together: with few bots, differences in
    spread would often go unseen.
    """
    logs = np.log(own) - digamma(spare / 2.0) + np.log(spare / 2.0)
    excess = float(logs.var(ddof=1) - polygamma(1, spare / 2.0).mean())
    if excess <= float(polygamma(1, most / 2.0)):
        weight = most
    else:
        weight = root_between(
            lambda w: float(polygamma(1, w / 2.0)) - excess, 1e-3, most, step=2e-12
        )
    common = math.exp(float(logs.mean() + digamma(weight / 2.0)) - math.log(weight / 2.0))
    return common, weight


def _shifts(data: RulesetRatings, overall: Floats) -> Floats:
    """Return float64[k,n]: the ratings moved onto the scale of the overall ones."""
    gap = np.where(data.present, data.ratings - overall, 0.0).sum(1) / np.maximum(
        data.present.sum(1), 1
    )
    moved: Floats = data.ratings - gap[:, None]
    return moved


def _played_mean(data: RulesetRatings, shifted: Floats) -> tuple[Floats, Floats]:
    share = data.present * data.weights[:, None]
    share = np.asarray(share / share.sum(0))
    variance = np.einsum("kii->ki", data.covariances)
    mean: Floats = (share * shifted).sum(0)
    return mean, np.sqrt((share**2 * variance).sum(0))


def _spreads(
    data: RulesetRatings, shifted: Floats, common: float, alpha: float
) -> tuple[Floats, Floats, Floats]:
    """Spread of each bot and its interval (Paule, Mandel 1982; Viechtbauer 2007)."""
    n = data.present.shape[1]
    found = np.full((3, n), common)
    for bot in range(n):
        here = data.present[:, bot]
        spare = int(here.sum()) - 1
        if spare < 1:
            continue
        noise = np.einsum("kii->ki", data.covariances)[here, bot]
        targets = (spare, *reversed(chi_square_bounds(alpha, spare)))
        for place, target in enumerate(targets):
            found[place, bot] = _spread_at(
                shifted[here, bot], noise, data.weights[here], float(target)
            )
    return found[0], found[1], found[2]


def _spread_at(values: Floats, noise: Floats, weights: Floats, target: float) -> float:
    """Return the spread at which the weighted squares about the mean sum to `target`."""

    def excess(spread: float) -> float:
        precision = 1.0 / (noise + spread**2 / weights + 1e-12)
        mean = float(precision @ values) / float(precision.sum())
        return float(precision @ (values - mean) ** 2) - target

    if excess(0.0) <= 0.0:
        return 0.0
    top = float(np.ptp(values)) + 1.0
    while excess(top) > 0.0:
        top *= 2.0
    return root_between(excess, 0.0, top, step=1e-6)
