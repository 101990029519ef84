"""Covariance over blocks: the sandwich for the Bradley-Terry fit.

cov = H^-1 (sum over blocks of g g') H^-1, g the slope of one block's log likelihood (White 1982;
Liang and Zeger 1986).  The slopes of one match lie in the space of (d of its first game, d of its
second game, v), so each match gives one 3x3 matrix.  It is centred within the match, because the
schedule is fixed and only the dice vary, and pulled with the weight of one block towards what the
model expects of games with the dispersion and correlation found over all matches: so a match of
few blocks still carries an error.  Matches of bots that won or lost everything have no variance to
show; they carry what the model expects of independent games.  The degrees of freedom follow
Satterthwaite (1946).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arena.stats.arrays import Bools, Floats, Ints
from arena.stats.draw_models import OutcomeTerms
from arena.stats.likelihood import Problem, Solution, terms_at
from arena.stats.results import Results

PRIOR_BLOCKS = 1.0
"""Weight of the expected covariance of a match, in blocks."""

CHUNK = 4096
"""Matches handled at once, which bounds the memory for 200 bots and all pairs."""


def block_covariance(
    results: Results, problem: Problem, solution: Solution, unbounded: Bools
) -> tuple[Floats, Floats]:
    """Return the covariance float64[n+2,n+2] of all parameters and its degrees of freedom.

    `unbounded` bool[n] marks bots whose rating the games do not bound.  Both results are in
    natural units; a parameter that is not fitted has variance 0 and freedom inf.
    """
    one = np.concatenate([results.first, results.lone_first])
    two = np.concatenate([results.second, results.lone_second])
    terms = terms_at(problem, solution.parameters)
    matter, freedom = summed_covariance(results, terms, unbounded[one] | unbounded[two])
    inverse, n = solution.inverse, problem.bots

    def lever(part: slice) -> Floats:
        gap = inverse[one[part]] - inverse[two[part]]
        width = np.broadcast_to(inverse[n + 1], gap.shape)
        # The second game's slope is taken by d of (second, first), which turns the gap round.
        return np.stack([inverse[n] + gap, inverse[n] - gap, width], axis=1)

    cover, free = robust_covariance(matter, freedom, lever, size=len(inverse))
    return cover + inverse @ solution.prior @ inverse, free


def robust_covariance(
    matter: Floats, freedom: Floats, lever: Callable[[slice], Floats], *, size: int
) -> tuple[Floats, Floats]:
    """Return the sum over u matches of lever' matter lever, and Satterthwaite's freedom.

    `matter` float64[u,d,d], `freedom` float64[u]; `lever(part)` float64[.,d,size] gives the rows
    of the inverse information in the directions of the slopes.  The results are
    float64[size,size] and float64[size]; no variance has freedom inf.
    """
    cover, squares = np.zeros((size, size)), np.zeros(size)
    for begin in range(0, len(matter), CHUNK):
        part = slice(begin, begin + CHUNK)
        arms = lever(part)
        forces = np.einsum("ude,uep->udp", matter[part], arms)
        cover += np.tensordot(arms, forces, axes=([0, 1], [0, 1]))
        share = np.einsum("udp,udp->up", arms, forces)
        squares += (share**2 / freedom[part][:, None]).sum(0)
    free = np.full(size, np.inf)
    np.divide(np.diag(cover) ** 2, squares, out=free, where=squares > 0.0)
    return cover, np.maximum(free, 1.0)


def summed_covariance(
    results: Results, terms: OutcomeTerms, expected: Bools
) -> tuple[Floats, Floats]:
    """Return the covariance of each match's summed slopes and its degrees of freedom.

    float64[u,3,3] over (`by_d` of the first game, `by_d` of the second game seen by the bot that
    moves first in it, sum of `by_v`) and float64[u], for the m matches in blocks and then the
    independent games, where the second entry is empty.  Where `expected` bool[u] is true, the
    model's covariance of independent games is taken instead of that found.
    """
    m = len(results.first)
    paired, lone = expected[:m], expected[m:]
    matter, freedom = _regularised(*_paired_scatter(results.tables, terms), paired)
    lone_matter, lone_freedom = _regularised(*_lone_scatter(results.lone, terms, 2 * m), lone)
    return np.concatenate([matter, lone_matter]), np.concatenate([freedom, lone_freedom])


def _paired_scatter(tables: Ints, terms: OutcomeTerms) -> tuple[Floats, Floats, Floats]:
    """Return blocks float64[m], centred scatter and expected variance float64[m,3,3], [m,3]."""
    m = len(tables)
    cells = tables.reshape(m, 9).astype(np.float64)
    slopes = np.empty((m, 9, 3))
    one, two = terms.by_d[:m], terms.by_d[m : 2 * m, ::-1]
    v_one, v_two = terms.by_v[:m], terms.by_v[m : 2 * m, ::-1]
    slopes[:, :, 0] = np.repeat(one, 3, axis=1)
    slopes[:, :, 1] = np.tile(two, (1, 3))
    slopes[:, :, 2] = np.repeat(v_one, 3, axis=1) + np.tile(v_two, (1, 3))
    variance = np.stack(
        [
            _game_variance(terms.by_d[:m], terms.chance[:m]),
            _game_variance(terms.by_d[m : 2 * m], terms.chance[m : 2 * m]),
            _game_variance(terms.by_v[:m], terms.chance[:m])
            + _game_variance(terms.by_v[m : 2 * m], terms.chance[m : 2 * m]),
        ],
        axis=1,
    )
    return cells.sum(1), _scatter(cells, slopes), variance


def _lone_scatter(counts: Ints, terms: OutcomeTerms, start: int) -> tuple[Floats, Floats, Floats]:
    cells = counts.astype(np.float64)
    slopes = np.zeros((len(cells), 3, 3))
    slopes[:, :, 0] = terms.by_d[start:]
    slopes[:, :, 2] = terms.by_v[start:]
    variance = np.zeros((len(cells), 3))
    variance[:, 0] = _game_variance(terms.by_d[start:], terms.chance[start:])
    variance[:, 2] = _game_variance(terms.by_v[start:], terms.chance[start:])
    return cells.sum(1), _scatter(cells, slopes), variance


def _game_variance(slope: Floats, chance: Floats) -> Floats:
    return np.asarray((chance * slope**2).sum(1) - (chance * slope).sum(1) ** 2)


def _scatter(cells: Floats, slopes: Floats) -> Floats:
    weight = cells / np.maximum(cells.sum(1), 1.0)[:, None]
    centred = slopes - np.einsum("uc,ucd->ud", weight, slopes)[:, None, :]
    return np.asarray(np.einsum("uc,ucd,uce->ude", cells, centred, centred))


def _regularised(
    blocks: Floats, scatter: Floats, variance: Floats, expected: Bools
) -> tuple[Floats, Floats]:
    """Return the covariance float64[u,3,3] of each match's summed slopes, and its freedom."""
    root = np.sqrt(np.maximum(variance, 0.0))
    scale = root[:, :, None] * root[:, None, :]
    spare = np.maximum(blocks - 1.0, 0.0)
    weight = (spare[:, None, None] * scale).sum(0)
    typical = scale.mean(0) if len(scale) else np.zeros((3, 3))
    found = scatter.sum(0) + typical * np.eye(3)
    ratio = np.divide(found, weight + typical, out=np.eye(3), where=weight + typical > 0.0)
    prior = PRIOR_BLOCKS * ratio * scale
    freedom = spare + PRIOR_BLOCKS
    matter = (scatter + prior) * (blocks / freedom)[:, None, None]
    matter[expected] = (blocks[:, None, None] * scale * np.eye(3))[expected]
    return matter, freedom
