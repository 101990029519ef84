"""Names itself, and what it raises, in letters that a terminal or a page would obey.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    """<script>alert(1)</script>\x1b]0;owned\x07\u202e\u2066 &amp; \x9b2J"""

    def decide(self, turn: Turn) -> Decision:
        print("\x1b[2J</pre><script>alert(2)</script>\u202egnp.exe\x00")
        raise ValueError("\x1b]8;;http://x\x07<img src=x onerror=alert(3)>\u202e\u2028\x85\x9b31m")
