"""Bots that play what `arena solve` has computed: no bot can do better on average."""

from typing import TYPE_CHECKING

from arena import BatchBot, Bot, Decision, Positions, Turn, solved, solved_turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Perfect(BatchBot):
    """Plays games of two perfectly, once `arena solve RULES` has computed how.

    It wins as often as anybody can against the best of opponents. Against a weaker one it still
    wins at least so often, though a bot that knows that very opponent may win more. Where busts in
    a row cost points it cannot see the other's row and takes it for none.
    """

    by_name_only = True  # where nothing was computed it cannot play
    seats = (2,)
    solved_only = True

    def decide(self, turn: Turn) -> Decision:
        """Whatever wins most often."""
        return solved(turn.rules).decide(turn)

    def decide_many(self, positions: Positions) -> "NDArray[np.int64]":
        """The same for many positions at once."""
        return solved(positions.rules).decide_many(positions)


class PerfectTurn(Bot):
    """Makes the most points a turn that anybody can, and looks at no score.

    More points are not more wins: it does not know when the game ends. How much it gives away
    against `perfect` is what looking at the scores is worth.
    """

    by_name_only = True

    def decide(self, turn: Turn) -> Decision:
        """Whatever brings the most points on average."""
        return solved_turn(turn.rules).decide(turn)
