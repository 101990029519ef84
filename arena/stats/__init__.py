"""Statistics of tournaments: pure functions, arrays in, records out.

The unit of statistics is the block: one lineup in all its rotations on the same dice.
"""

from arena.stats.across import OverallRatings, RulesetRatings, rate_across, ruleset_ratings
from arena.stats.after_stop import SprtEstimate, estimate_after_stop
from arena.stats.allocation import Allocation, allocate, rank_targets, width_targets
from arena.stats.bootstrap import BootstrapRatings, bootstrap_ratings
from arena.stats.bradley_terry import (
    SeatTerm,
    Standings,
    expected_score,
    fit_bradley_terry,
)
from arena.stats.connection import Bound, Connection, SeatStatus
from arena.stats.draw_models import DrawModel
from arena.stats.elo import ELO_PER_LOGIT, NORMALISED_ELO, elo_from_score, score_from_elo
from arena.stats.errors import StatsError
from arena.stats.fit_test import Cycle, FitTest, PairFit, fit_test
from arena.stats.means import mean_interval
from arena.stats.pairs import (
    BlockMoments,
    Estimate,
    MatchStatus,
    PairEstimate,
    estimate_games,
    estimate_moments,
    estimate_pair_table,
    estimate_pentanomial,
    pentanomial,
)
from arena.stats.plackett_luce import fit_plackett_luce, fit_plackett_luce_orders
from arena.stats.planning import Plan, plan_half_width, plan_sign
from arena.stats.ranks import Ranks, difference_errors, ranks, superiority, surely_stronger
from arena.stats.results import Results, results_from_crosstable, results_from_matches
from arena.stats.seated_fit import SeatedStandings
from arena.stats.seatings import (
    SeatedMatches,
    SeatedOrders,
    seated_matches,
    seated_moments,
    seated_orders,
)
from arena.stats.sprt import (
    Sprt,
    SprtForecast,
    SprtState,
    Verdict,
    block_deviation,
    log_likelihood_ratio,
    sprt_forecast,
    sprt_state,
)
from arena.stats.stopping import (
    RankDecision,
    WidthDecision,
    anytime_factor,
    anytime_intervals,
    half_width_decision,
    rank_decision,
)

__all__ = [
    "ELO_PER_LOGIT",
    "NORMALISED_ELO",
    "Allocation",
    "BlockMoments",
    "BootstrapRatings",
    "Bound",
    "Connection",
    "Cycle",
    "DrawModel",
    "Estimate",
    "FitTest",
    "MatchStatus",
    "OverallRatings",
    "PairEstimate",
    "PairFit",
    "Plan",
    "RankDecision",
    "Ranks",
    "Results",
    "RulesetRatings",
    "SeatStatus",
    "SeatTerm",
    "SeatedMatches",
    "SeatedOrders",
    "SeatedStandings",
    "Sprt",
    "SprtEstimate",
    "SprtForecast",
    "SprtState",
    "Standings",
    "StatsError",
    "Verdict",
    "WidthDecision",
    "allocate",
    "anytime_factor",
    "anytime_intervals",
    "block_deviation",
    "bootstrap_ratings",
    "difference_errors",
    "elo_from_score",
    "estimate_after_stop",
    "estimate_games",
    "estimate_moments",
    "estimate_pair_table",
    "estimate_pentanomial",
    "expected_score",
    "fit_bradley_terry",
    "fit_plackett_luce",
    "fit_plackett_luce_orders",
    "fit_test",
    "half_width_decision",
    "log_likelihood_ratio",
    "mean_interval",
    "pentanomial",
    "plan_half_width",
    "plan_sign",
    "rank_decision",
    "rank_targets",
    "ranks",
    "rate_across",
    "results_from_crosstable",
    "results_from_matches",
    "ruleset_ratings",
    "score_from_elo",
    "seated_matches",
    "seated_moments",
    "seated_orders",
    "sprt_forecast",
    "sprt_state",
    "superiority",
    "surely_stronger",
    "width_targets",
]
