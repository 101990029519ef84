"""Is not written in Python.

Fault: load error
"""

class Bad(Bot) {
    decide(turn) { return turn.holds[0].bank(); }
}
