"""Random bots: decision programs over everything that a turn shows, as Python source.

`bot_source(seed)` writes a file with one bot class `Generated`, `bot_class(seed)` compiles it. The
programs use every attribute of a turn, every operator and most constructs of Python; none of them
raises, and the answer depends on the turn alone, so that observed numbers must give it exactly.
"""

from __future__ import annotations

import linecache
import random
from functools import lru_cache

from arena import Bot

HEADER = '''
import bisect, collections, functools, itertools, math, operator, struct
from fractions import Fraction
from arena import Bot

TABLE = [3, 1, 4, 1, 5, 9, 2, 6]
FLOATS = [0.5, 25.25, 134.0, 300.0, 812.5, 2400.0, 0.1, 1e9]
NAMES = {0: "none", 1: "one", 2: "two", 3: "three"}


def clamp(value, low=0, high=1000):
    return max(low, min(value, high))


def stage(score):
    match score:
        case 0:
            return 0
        case n if n < 3000:
            return 1
        case int(n) if n >= 8000:
            return 3
        case _:
            return 2


@functools.lru_cache(maxsize=512)
def slow(points, left):
    return points * 3 + left


class Line:
    def __init__(self, slope, offset):
        self.slope, self.offset = slope, offset

    def __call__(self, x):
        return self.slope * x + self.offset

    def __lt__(self, other):
        return self.slope < other


class Generated(Bot):
    """Decides at random, but always the same."""

    def decide(self, turn):
'''


def bot_source(seed: int, *, reroll: bool = True) -> str:
    """The source of a random bot; `reroll`: whether it may use the free re-roll."""
    rng = random.Random(seed)
    while True:
        source = HEADER + _Writer(rng, reroll=reroll).body()
        try:
            compile(source, "generated", "exec")
        except SyntaxError:
            continue  # an assignment expression stood where none may stand
        return source


@lru_cache(maxsize=256)
def bot_class(seed: int, *, reroll: bool = True) -> type[Bot]:
    """The class of a random bot."""
    source = bot_source(seed, reroll=reroll)
    name = f"<generated bot {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module: dict[str, object] = {"__name__": f"generated_{seed}"}
    exec(compile(source, name, "exec"), module)
    made = module["Generated"]
    assert isinstance(made, type)
    assert issubclass(made, Bot)
    return made


class _Writer:
    """Writes statements and expressions; `depth` keeps them small."""

    def __init__(self, rng: random.Random, *, reroll: bool) -> None:
        self.rng = rng
        self.reroll = reroll
        self.numbers: list[str] = []  # local variables that hold whole numbers
        self.lines: list[str] = []
        self.made = 0

    def body(self) -> str:
        """The lines of `decide`."""
        self.put(2, "holds = turn.holds")
        self.put(2, f"hold = {self.a_hold(0)}")
        for _ in range(self.rng.randint(1, 5)):
            self.statement(2, 2)
        if self.reroll and self.rng.random() < 0.3:
            self.put(2, f"if turn.can_reroll and {self.flag(2)}:")
            self.put(3, "return turn.reroll()")
        self.put(2, f"hold = {self.a_hold(1)}")
        self.put(2, f"return hold.bank() if {self.flag(3)} else hold.roll()")
        return "\n".join(self.lines) + "\n"

    def put(self, indent: int, line: str) -> None:
        self.lines.append("    " * indent + line)

    def pick(self, options: list[str]) -> str:
        return self.rng.choice(options)

    def name(self) -> str:
        self.made += 1
        return f"v{self.made}"

    # Statements

    def statement(self, indent: int, depth: int) -> None:
        kinds = [
            self.assign, self.assign, self.change, self.decide_early, self.branch, self.loop_holds,
            self.loop_others, self.count_down, self.try_block, self.function, self.unpack,
        ]  # fmt: skip
        kinds = kinds if depth else [self.assign, self.change, self.decide_early]
        self.rng.choice(kinds)(indent, depth)

    def assign(self, indent: int, depth: int) -> None:
        name = self.name()
        self.put(indent, f"{name} = {self.number(3)}")
        if indent == 2:
            self.numbers.append(name)

    def change(self, indent: int, depth: int) -> None:
        names = [name for name in self.numbers if name.isidentifier()]
        if not names:
            return self.assign(indent, depth)
        name = self.pick(names)
        operation = self.pick(["+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", ">>="])
        right = {"*=": self.small(), "//=": self.positive(), "%=": self.positive()}.get(
            operation, self.number(1)
        )
        if operation == ">>=":
            right = str(self.rng.randint(0, 5))
        return self.put(indent, f"{name} {operation} {right}")

    def decide_early(self, indent: int, depth: int) -> None:
        self.put(indent, f"if {self.flag(2)}:")
        self.put(indent + 1, f"return holds[{self.index()}].{self.pick(['bank', 'roll'])}()")

    def branch(self, indent: int, depth: int) -> None:
        self.put(indent, f"if {self.flag(2)}:")
        self.statement(indent + 1, depth - 1)
        if self.rng.random() < 0.5:
            self.put(indent, f"elif {self.flag(2)}:")
            self.statement(indent + 1, depth - 1)
        self.put(indent, "else:")
        self.statement(indent + 1, depth - 1)

    def loop_holds(self, indent: int, depth: int) -> None:
        self.put(indent, "for hold in holds:")
        self.put(indent + 1, f"if {self.flag(2)}:")
        self.put(indent + 2, self.pick(["break", "continue", "return hold.roll()"]))
        self.statement(indent + 1, depth - 1)

    def loop_others(self, indent: int, depth: int) -> None:
        total = self.name()
        self.put(indent, f"{total} = {self.number(1)}")
        self.put(indent, f"for place, other in enumerate({self.others()}):")
        self.put(indent + 1, f"if other {self.order()} {self.number(1)}:")
        self.put(indent + 2, f"{total} += {self.pick(['place', 'other', 'other - turn.score'])}")
        if indent == 2:
            self.numbers.append(total)

    def count_down(self, indent: int, depth: int) -> None:
        rest, steps = self.name(), self.name()
        self.put(indent, f"{rest}, {steps} = {self.number(1)}, 0")
        self.put(indent, f"while {rest} > {self.number(1)} and {steps} < 6:")
        self.put(indent + 1, f"{rest} -= {self.positive()}")
        self.put(indent + 1, f"{steps} += 1")
        if indent == 2:
            self.numbers += [rest, steps]

    def try_block(self, indent: int, depth: int) -> None:
        name = self.name()
        error, risk = self.rng.choice(
            [
                ("IndexError", f"TABLE[{self.number(1)}]"),
                ("KeyError", f"len(NAMES[{self.number(1)}])"),
                ("ZeroDivisionError", f"1000 // {self.number(1)}"),
                ("ValueError", f"math.isqrt({self.number(1)})"),
                ("AssertionError", f"[{self.number(1)}][bool({self.flag(1)}) - 1]"),
                ("ValueError", f"[{self.number(1)}, {self.number(1)}].index({self.number(1)})"),
            ]
        )
        self.put(indent, "try:")
        self.put(indent + 1, f"{name} = {risk}")
        self.put(indent, f"except {error}:")
        self.put(indent + 1, f"{name} = {self.number(1)}")
        if indent == 2:
            self.numbers.append(name)

    def function(self, indent: int, depth: int) -> None:
        name = self.name()
        inside = self.pick(["x + y", "x - 2 * y", "max(x, y)", "x if x > y else -y", "x * 3 // 7"])
        self.put(indent, f"def {name}(x, y={self.number(1)}, *, scale=1):")
        self.put(indent + 1, f"return ({inside}) * scale")
        result = self.name()
        call = self.pick(
            [f"{name}({self.number(1)})", f"{name}({self.number(1)}, scale={self.small()})"]
        )
        self.put(indent, f"{result} = {call}")
        if indent == 2:
            self.numbers.append(result)

    def unpack(self, indent: int, depth: int) -> None:
        first, rest = self.name(), self.name()
        self.put(indent, f"{first}, *{rest} = sorted([{self.number(1)}, {self.number(1)}, 700])")
        if indent == 2:
            self.numbers += [first, f"sum({rest})"]

    # Whole numbers

    def number(self, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.25:
            return self.seen()
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            [
                f"({a} + {b})", f"({a} - {b})", f"({a} + {self.constant()})",
                f"({self.constant()} - {a})", f"{self.small()} * {a}", f"({a}) * {self.small()}",
                f"-({a})", f"+({a})", f"~({a})", f"abs({a})", f"abs({a} - {b})",
                f"max({a}, {b})", f"min({a}, {b}, {self.constant()})", f"max([{a}, {b}], key=int)",
                f"({a}) // {self.positive()}", f"({a}) // -7", f"({a}) % {self.positive()}",
                f"(({a}) >> {self.rng.randint(0, 9)})", f"(({a}) & 255)", f"(({a}) | 3)",
                f"(({a}) ^ ({b}))", f"((({a}) & 7) << 2)", f"({a}) ** 2", f"pow({a}, 2, 97)",
                f"divmod({a}, {self.positive()})[{self.pick(['0', '1'])}]",
                f"int({a})", f"int({self.real(depth - 1)})", f"round({a}, -2)", f"round({a})",
                f"math.floor({a})", f"math.ceil({self.real(0)})", f"math.trunc({a})",
                f"math.isqrt(abs({a}))", f"math.gcd({a}, {b})", f"operator.sub({a}, {b})",
                f"({a} if {self.flag(depth - 1)} else {b})", f"sum([{a}, {b}, 1])",
                f"sum(x > {a} for x in {self.others()})", f"sorted([{a}, {b}])[0]",
                f"len([x for x in {self.others()} if x {self.order()} {a}])",
                f"len(str({a}))", f'int(f"{{{a}:d}}")', f'int("%d" % ({a}))',
                f"len('ab' * (({a}) % 5))",
                f"len(range(({a}) % 9))", f"TABLE[({a}) % 8]", f"TABLE[:({a}) % 8].count(1)",
                f"({a}).bit_length()", f"({a}).real", f"({a}).conjugate()",
                f"{{1: 5, 50: 7}}.get({a}, 9)", f"NAMES.get({a}, 'x').count('e')",
                f"clamp({a})", f"clamp({a}, high={b})", f"stage({a})", f"slow({a}, hold.dice_left)",
                f"Line({self.small()}, {self.constant()})({a})", f"(lambda x: x + {b})({a})",
                f"bisect.bisect([0, 350, 1000, 5000], {a})", f"hash({a}) % 1000",
                f"struct.unpack('<q', struct.pack('<q', ({a}) % 9999))[0]",
                f"functools.reduce(operator.add, [{a}, {b}])", f"int(Fraction({a}, 3))",
                f"list(itertools.accumulate([{a}, {b}]))[-1]", f"[{a}, {b}][{self.flag(0)}]",
                f"(z := {a}) - z // 2", f"collections.Counter([{a}, {b}])[{a}]",
                f"({a} or {b})", f"({a} and {b})", f"int(({a}, 1) < ({b}, 2))",
                f"int({self.flag(depth - 1)})",
                f"next((x for x in {self.others()} if x > {a}), {b})",
            ]
        )  # fmt: skip

    def seen(self) -> str:
        shown = [
            "turn.points", "turn.points", "turn.points", "turn.score", "turn.score", "turn.to_beat",
            "turn.rolls", "turn.limited_rolls", "turn.round", "turn.busts", "turn.seat",
            "turn.opponents[0]", "turn.opponents[-1]", "max(turn.opponents)", "min(turn.opponents)",
            "turn.minimum", "hold.points", "hold.points", "hold.dice_left", "hold.index",
            "len(turn.dice)", "sum(turn.dice)", "turn.dice[0]", "len(turn.opponents)",
            "turn.rules.target", "turn.rules.dice", "holds[-1].points", "len(holds)",
            "(turn.points + hold.points)", "(turn.score + turn.points + hold.points)",
            "(turn.to_beat - turn.score)", self.constant(), *self.numbers, *self.numbers,
        ]  # fmt: skip
        return self.pick(shown)

    def constant(self) -> str:
        few = self.rng.randint(0, 12)
        return str(self.rng.choice([few, few, 50 * few, 300, 350, 1000, 9999, 250 * few, True]))

    def small(self) -> str:
        return str(self.rng.choice([2, 3, -1, -4, 0, 1, 10]))

    def positive(self) -> str:
        return str(self.rng.choice([1, 2, 3, 7, 50, 300, 1000]))

    def others(self) -> str:
        return self.pick(
            ["turn.opponents", "sorted(turn.opponents)", "[turn.score, *turn.opponents]",
             "reversed(turn.opponents)", "turn.opponents[1:]", "set(turn.opponents)"]
        )  # fmt: skip

    def index(self) -> str:
        return f"({self.number(1)}) % len(holds)"

    def a_hold(self, depth: int) -> str:
        if not depth:
            return self.pick(["holds[0]", "holds[-1]", "holds[len(holds) // 2]"])
        return self.pick(
            [
                "hold",
                "holds[0]",
                f"holds[{self.index()}]",
                f"max(holds, key=lambda hold: {self.number(2)})",
                f"min(holds, key=lambda hold: ({self.number(1)}, hold.index))",
                f"max(holds, key=lambda hold: {self.real(2)})",
                f"next((hold for hold in holds if {self.flag(1)}), hold)",
                "holds[-1] if turn.last_round else hold",
            ]
        )

    # Numbers with a point

    def real(self, depth: int) -> str:
        return f"({self.bare_real(depth)})"

    def bare_real(self, depth: int) -> str:
        a = self.number(depth - 1)
        return self.pick(
            [
                f"({a}) * 0.5", f"({a}) / 3", f"float({a})", f"({a}) + 0.25", f"0.75 * ({a})",
                f"math.sqrt(abs({a}))", f"FLOATS[hold.dice_left] + ({a})", f"FLOATS[({a}) % 8]",
                f"({a}) / ({self.positive()})", f"math.exp(-abs({a}) / 1e4)", f"-1.5 * ({a}) - 3",
                f"math.log(abs({a}) + 1)", f"math.hypot({a}, 3)", f"1e3 - ({a})",
                f"0.03 * ({a}) + 0.97 * ({self.number(depth - 1)})", f"float(Fraction({a}, 7))",
            ]
        )  # fmt: skip

    # Flags

    def flag(self, depth: int) -> str:
        return f"({self.bare_flag(depth)})"

    def bare_flag(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(["turn.last_round", "turn.open", "hold.hot", "turn.can_bank(hold)",
                              "turn.can_roll(hold)", "turn.must_roll(hold)", "turn.can_reroll",
                              "turn.has_rolls"])  # fmt: skip
        a, b, c = (self.number(depth - 1) for _ in range(3))
        p, q = self.flag(depth - 1), self.flag(depth - 1)
        return self.pick(
            [
                *(f"{a} {self.order()} {b}",) * 4, *(f"{a} {self.order()} {self.constant()}",) * 6,
                f"{a} {self.order()} {self.real(depth - 1)}", f"{self.real(0)} {self.order()} {a}",
                f"{a} {self.order()} {self.pick(['2.5', '350.0', '1e9', '-0.5', '1e300'])}",
                f"{a} > Fraction(700, 3)", f"Fraction(700, 3) {self.order()} {a}",
                f"{self.constant()} <= {a} < {b}", f"{a} == {b} == {c}",
                f"{a} != {self.constant()}",
                f"{a} in ({b}, {self.constant()}, 50)", f"{a} not in [0, 50, 100]",
                f"{a} in range(0, 3000, 50)", f"{a} in {{0, 50, 350}}", f"{a} in turn.opponents",
                f"({p} and {q})", f"({p} or {q})", f"not {p}", f"({p} ^ {q})", f"bool({a})",
                f"not ({a})", f"({a}, {b}) < ({c}, {self.constant()})", f"[{a}] == [{b}]",
                f"any(x {self.order()} {a} for x in turn.opponents)",
                f"all({a} > x for x in {self.others()})",
                f"turn.last_round is {self.pick(['True', 'False'])}",
                f"turn.open == {p}", f"isinstance({a}, int)", f"isinstance({a}, (float, str))",
                f"str({a}).endswith('50')", f"'7' in str({a})", f"f'{{{a}:05d}}' > '00500'",
                f"math.isclose({a}, {b}, abs_tol=99.5)", f"{a} == None", f"{a} != 'roll'",
                f"Line({a}, 1) < {b}", "turn.can_bank(hold)", "turn.can_roll(hold)", p,
                f"operator.gt({a}, {b})", f"(w := {a}) > 300 and w < 900",
            ]
        )  # fmt: skip

    def order(self) -> str:
        return self.pick(["<", "<=", ">", ">=", "==", "!="])
