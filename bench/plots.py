"""Plots for `RESULTS.md`: the same figures give the same bytes, and both colour schemes show them.

matplotlib is imported late: it belongs to a dependency group that only `build.py bench` installs.
"""

from __future__ import annotations

import re
import statistics
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bench.report import figure
from build_steps.programs import find_program, run_quietly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_INK = "#797979"
"""Contrast of 4.4 to 1 against white, and against the darkest usual background."""
_COLOURS = ("#2f81c9", "#4f9a4f", "#8a8a8a", "#c9742c", "#a068c4", "#c25b7a")
"""Each with a contrast of 3 to 1 or more against both; used in the order of the series."""

_INCHES_WIDE = 8.4
_SETTINGS = {
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": _INK,
    "axes.titlesize": 11,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "legend.frameon": False,
    "legend.labelcolor": _INK,
    "svg.fonttype": "none",
    # Without it the names of elements differ from run to run.
    "svg.hashsalt": "treeglass",
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def install_plotting() -> None:
    """Make sure that matplotlib can be imported.

    Raises:
        BuildFailed: It cannot be fetched.
    """
    run_quietly(
        [find_program("uv"), "sync", "--quiet", "--inexact", "--group", "bench"],
        log_name="uv-sync-bench",
        otherwise="matplotlib could not be installed: check the network connection and run again.",
    )


def plot_bars(
    path: Path,
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    title: str,
    unit: str,
) -> None:
    """Draw a bar for each series of each group, with its median written beside it.

    Args:
        path: Where the SVG goes.
        groups: Label of a group to label of a series to its values, one for each run;
            a whisker goes from the least to the most of them.
        title: Above the plot.
        unit: Of the values.
    """
    series = list(dict.fromkeys(name for group in groups.values() for name in group))
    row_count = sum(len(group) + 1 for group in groups.values())
    with _drawn(path, inches_high=1.2 + 0.24 * row_count) as axes:
        row, ticks = 0.0, []
        for group in groups.values():
            ticks.append(row + (len(group) - 1) / 2)
            for name, values in group.items():
                _bar(axes, row, values, _COLOURS[series.index(name) % len(_COLOURS)], unit)
                row += 1
            row += 1
        axes.set_yticks(ticks, list(groups))
        axes.tick_params(axis="y", length=0)
        axes.invert_yaxis()
        axes.margins(x=0.14)
        axes.set_xlabel(unit)
        axes.set_title(title, loc="left")
        handles = [axes.barh([0], [0], color=colour) for colour in _COLOURS[: len(series)]]
        axes.legend(handles, series, loc="lower right")


def _bar(axes: Any, row: float, values: Sequence[float], colour: str, unit: str) -> None:
    middle, low, high = statistics.median(values), min(values), max(values)
    axes.barh(row, middle, height=0.8, color=colour)
    axes.plot([low, high], [row, row], color=_INK, linewidth=1)
    axes.annotate(
        f"{figure(middle)} {unit}",
        (high, row),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=9,
    )


@contextmanager
def _drawn(path: Path, *, inches_high: float) -> Iterator[Any]:
    """Give axes to draw on, then write what was drawn."""
    from matplotlib import rc_context  # noqa: PLC0415  # see the module's docstring
    from matplotlib.figure import Figure  # noqa: PLC0415  # same

    with rc_context(_SETTINGS):
        drawing = Figure(figsize=(_INCHES_WIDE, inches_high), layout="constrained")
        yield drawing.subplots()
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None, "Creator": None}
        drawing.savefig(path, format="svg", transparent=True, metadata=metadata)
    # It ends some lines with a blank.
    text = re.sub(r"[ \t]+$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(text, "utf-8", newline="\n")
