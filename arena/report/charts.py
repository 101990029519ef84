"""Where the marks of the charts go; the templates only draw them.

Horizontal places are percentages of the width, so that a chart fits every screen while its text
keeps its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from statistics import median
from typing import Literal

from arena.report.model import Histogram, Seat, Span, Standing

TICKS = 6
BODY = 0.998
"""Histograms show this share of all counts; the rest is in the last bar."""
HIGHEST = 1.5
"""No histogram is drawn higher than this many times the median of all peaks, so that one odd bot
does not flatten the others."""
FAR = 8.0
"""So many times further off than the median is so far that it would flatten all others."""
LONGEST = 4.0
"""Then the scale of ratings ends at this many times the median."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A horizontal scale from `low` to `high`, with round numbers marked."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @property
    def step(self) -> float:
        """Distance of two ticks; 0 for fewer."""
        return self.ticks[1] - self.ticks[0] if len(self.ticks) > 1 else 0.0

    def at(self, value: float) -> float:
        """Place of a value in percent, kept within the chart."""
        part = (value - self.low) / (self.high - self.low)
        return round(min(max(part, 0.0), 1.0) * 100, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar from zero to a value, with the whisker of its interval; all in percent.

    Attributes:
        start, width: of the bar.
        arrow: side on which the true value is out of sight; empty where it is in the chart.
    """

    start: float
    width: float
    value: float
    low: float
    high: float
    arrow: Literal["", "left", "right"] = ""


def axis(low: float, high: float) -> Axis:
    """A scale that holds both values, with some air, and about `TICKS` round numbers."""
    if high <= low:
        low, high = low - 1, high + 1
    air = (high - low) * 0.04
    low, high = low - air, high + air
    step = _round_step((high - low) / TICKS)
    first, last = ceil(low / step), floor(high / step)
    return Axis(low=low, high=high, ticks=tuple(step * n for n in range(first, last + 1)))


def _round_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999))


def elo_axis(standings: Sequence[Standing]) -> Axis:
    """A scale for all bots whose rating the games bound; for all where there is none.

    A bot without a bound gets a fifth of the width on its side of zero, at least, for its arrow;
    so does one that is too far off to be shown beside the others.
    """
    bounded = [row.elo for row in standings if row.bound == "finite"]
    spans = bounded or [row.elo for row in standings]
    ends = [(min(0.0, s.low, s.value), max(0.0, s.high, s.value)) for s in spans]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    usual = median(max(-low, high) for low, high in ends)
    if max(-low, high) > FAR * usual:
        low, high = max(low, -LONGEST * usual), min(high, LONGEST * usual)
    width = high - low
    if any(row.bound == "below" for row in standings):
        low = min(low, -width / 5)
    if any(row.bound == "above" for row in standings):
        high = max(high, width / 5)
    return axis(low, high)


def elo_bar(row: Standing, scale: Axis) -> Bar:
    """The bar of one bot; one that is out of sight ends at the edge, with an arrow."""
    if row.bound in ("finite", "unconnected") and scale.low <= row.elo.value <= scale.high:
        return _bar(row.elo, scale)
    up = row.elo.value > 0 if row.bound in ("finite", "unconnected") else row.bound == "above"
    edge = scale.high if up else scale.low
    out = _bar(Span(value=edge, low=edge, high=edge), scale)
    return replace(out, arrow="right" if up else "left")


def _bar(span: Span, scale: Axis) -> Bar:
    zero, value = scale.at(0.0), scale.at(span.value)
    return Bar(
        start=min(zero, value),
        width=round(abs(value - zero), 2),
        value=value,
        low=scale.at(span.low),
        high=scale.at(span.high),
    )


def seat_axis(seats: Sequence[Seat]) -> Axis:
    """A scale of shares around the fair one."""
    fair = 1 / len(seats)
    off = max(abs(end - fair) for s in seats for end in (s.score.low, s.score.high))
    return axis(fair - max(off, 0.005), fair + max(off, 0.005))


def seat_bar(seat: Seat, seats: int, scale: Axis) -> Bar:
    """The bar of one seat, from the fair share on."""
    fair, value = scale.at(1 / seats), scale.at(seat.score.value)
    return Bar(
        start=min(fair, value),
        width=round(abs(value - fair), 2),
        value=value,
        low=scale.at(seat.score.low),
        high=scale.at(seat.score.high),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What histograms that are to be compared have in common.

    Attributes:
        bins: how many are shown.
        top: share of a bot's counts that reaches the upper edge; higher bars are cut off there.
        ticks: places in percent and the points that stand there.
    """

    bins: int
    top: float
    ticks: tuple[tuple[float, int], ...]


def frame(histograms: Sequence[Histogram]) -> Frame:
    """A frame for all of these; they have equal bins."""
    used = [each for each in histograms if sum(each.counts)]
    bins = max((_body(each.counts) for each in used), default=1)
    bins = min(bins + 1, max((len(each.counts) for each in used), default=1))
    peaks = [max(_shares(each, bins)) for each in used] or [1.0]
    top = min(max(peaks), HIGHEST * median(peaks))
    if not histograms:
        return Frame(bins=bins, top=top, ticks=())
    first, width = histograms[0].first, histograms[0].width
    scale = Axis(low=first, high=first + bins * width, ticks=())
    step = _round_step((scale.high - scale.low) / 4)
    values = [int(step * n) for n in range(ceil(first / step), floor(scale.high / step) + 1)]
    return Frame(bins=bins, top=top, ticks=tuple((scale.at(v), v) for v in values))


def _body(counts: Sequence[int]) -> int:
    """Bins that hold `BODY` of all counts."""
    total, seen = sum(counts), 0
    for number, each in enumerate(counts, start=1):
        seen += each
        if seen >= BODY * total:
            return number
    return len(counts)


def _shares(histogram: Histogram, bins: int) -> list[float]:
    """Share of all counts, those below the first bin too, in each bin shown."""
    counts = histogram.counts
    shown = [*counts[: bins - 1], sum(counts[bins - 1 :])]
    total = (sum(counts) + histogram.below) or 1
    return [each / total for each in shown]


def outline(histogram: Histogram, frame: Frame) -> str:
    """The histogram as an SVG path in a box of `frame.bins` by 100."""
    path = ["M0 100"]
    for number, share in enumerate(_shares(histogram, frame.bins)):
        height = round(100 - 100 * min(share / frame.top, 1.0), 1)
        path.append(f"V{height:g}H{number + 1}")
    return f"{''.join(path)}V100Z"


def mark_at(histogram: Histogram, frame: Frame) -> float | None:
    """Place of the marked value in percent."""
    if histogram.mark is None:
        return None
    end = histogram.first + frame.bins * histogram.width
    return Axis(low=histogram.first, high=end, ticks=()).at(histogram.mark)


def none_share(histogram: Histogram) -> float | None:
    """Share of all counts below the first bin."""
    total = sum(histogram.counts) + histogram.below
    return histogram.below / total if total else None
