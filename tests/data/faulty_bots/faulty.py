"""Bots that do wrong in ways that a tournament must survive."""

import contextlib
import os
import threading
import time

from arena import Bot


class Raises(Bot):
    """Fails when it is ahead."""

    def decide(self, turn):
        if turn.score > 500:
            print("so far so good")
            return self.compute(turn)
        return turn.holds[0].bank()

    def compute(self, turn):
        return turn.score / (turn.points - turn.points)


class Word(Bot):
    """Answers a word instead of a decision."""

    def decide(self, turn):
        return "bank"


class Nothing(Bot):
    """Forgets to answer."""

    def decide(self, turn):  # noqa: RET503 - that is the fault
        if turn.round < 3:
            return turn.holds[0].bank()


class Stale(Bot):
    """Keeps a hold of another roll."""

    first = None

    def decide(self, turn):
        if turn.seat == 1 and turn.round == 1:
            Stale.first = turn.holds[0]
            return turn.holds[0].bank()
        return (Stale.first or turn.holds[0]).bank()


class Exits(Bot):
    """Raises SystemExit."""

    def decide(self, turn):
        raise SystemExit(3)


class Interrupts(Bot):
    """Raises KeyboardInterrupt, which would stop everything."""

    def decide(self, turn):
        raise KeyboardInterrupt


class Unmakeable(Bot):
    """Cannot be made."""

    def __init__(self):
        raise RuntimeError("no batteries")

    def decide(self, turn):
        return turn.holds[0].bank()


class Hungry(Bot):
    """Asks for more memory than there is."""

    def decide(self, turn):
        raise MemoryError


class Kills(Bot):
    """Takes its process down."""

    def decide(self, turn):
        os._exit(3)


class KillsOthers(Bot):
    """Takes its process down, but not in games with itself: in the second seat it only busts."""

    def decide(self, turn):
        if turn.seat == 2:
            return turn.holds[0].roll()
        if turn.to_beat:
            os._exit(3)
        return turn.holds[0].bank()


class KillsOnce(Bot):
    """Takes its process down the first time that a mark is not there yet."""

    def __init__(self, mark: str = ""):
        self.mark = mark

    def decide(self, turn):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
            os._exit(3)
        return turn.holds[0].bank()


class Loops(Bot):
    """Never answers."""

    def decide(self, turn):
        while True:
            pass


class LeavesThread(Bot):
    """Leaves a thread behind that goes on for long."""

    def decide(self, turn):
        if threading.active_count() < 6:
            threading.Thread(target=time.sleep, args=(60,)).start()
        return turn.holds[0].bank()


class Prints(Bot):
    """Prints all the time, also past Python."""

    def decide(self, turn):
        print("noise")
        os.write(1, b"noise\n")
        return turn.holds[0].bank()


class Counts(Bot, remembers=True):
    """Banks more and more in one game; needs a fresh start in each."""

    def __init__(self):
        self.asked = 0

    def decide(self, turn):
        self.asked += 1
        hold = turn.holds[0]
        if turn.points + hold.points >= 50 * self.asked and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()


class Rolls(Bot):
    """Decides by turn.rng."""

    def decide(self, turn):
        hold = turn.rng.choice(turn.holds)
        return hold.bank() if turn.rng.random() < 0.5 else hold.roll()
