"""The lines of the benchmarks' table."""

from dataclasses import dataclass


@dataclass
class Row:
    """One figure. `met` is empty where there is no goal."""

    what: str
    figure: str
    goal: str = ""
    met: bool | None = None


def at_least(what: str, value: float, goal: float, unit: str) -> Row:
    """A figure that may not be smaller."""
    return Row(what, f"{value:.1f} {unit}", f"at least {goal:g}", value >= goal)


def at_most(what: str, value: float, goal: float, unit: str, digits: int = 1) -> Row:
    """A figure that may not be larger."""
    return Row(what, f"{value:.{digits}f} {unit}", f"at most {goal:g}", value <= goal)


def markdown(rows: list[Row]) -> str:
    """The table."""
    said = {None: "", True: "yes", False: "**no**"}
    lines = [f"| {row.what} | {row.figure} | {row.goal} | {said[row.met]} |" for row in rows]
    return "\n".join(["| what | figure | goal | met |", "|---|---:|---:|---|", *lines])
