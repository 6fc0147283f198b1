"""Whether what a process takes grows from round to round, for `soak`."""

import statistics


class Growth:
    """Samples of a `Measured` process, one a round: (actions, written, resident, descriptors, threads)."""

    # A few rounds are no trend.
    ENOUGH = 20
    # How many rounds, half a million actions, it takes at most until all that is kept is there. Of
    # fewer rounds it is half, of more a fifth, if that is more.
    WARM_UP = 25

    def __init__(self, name, is_judged):
        self.name, self.is_judged, self.samples = name, is_judged, []

    def add(self, actions, process):
        self.samples.append((actions, process.memory(), process.resident(), process.descriptors(),
                             process.threads()))

    def judge(self, figures, violations):
        """Appends figures of the rounds after the warm-up, and what grew."""
        count = len(self.samples)
        kept = self.samples[max(count // 5, min(count // 2, self.WARM_UP)):]
        many = len(kept) >= self.ENOUGH
        if len(kept) >= 4:
            slope, error = fit([(s[0], s[1]) for s in kept])
            grown = (slope - 3 * error) * (kept[-1][0] - kept[0][0])
            figures.append((f"{self.name}memory, slope", f"{slope * 1e6 / 1024:+.0f} ± "
                            f"{error * 1e6 / 1024:.0f} KiB written in a million actions (standard error)"))
            if grown > 256 << 10 and many and self.is_judged:
                violations.append(f"{self.name}memory grew by at least {grown / 1024:.0f} KiB")
        for index, what, unit in ((1, "written", 1024), (2, "resident", 1024), (3, "descriptors", 1),
                                  (4, "threads", 1)):
            quarter = max(len(kept) // 4, 1)
            if many and unit == 1:
                before = max(s[index] for s in kept[:quarter])
                after = min(s[index] for s in kept[-quarter:])
                if after > before:
                    violations.append(f"{self.name}{after} {what} at the end, {before} before")
            values = [s[index] // unit for s in kept] or [0]
            figures.append((self.name + what, f"first {values[0]}, last {values[-1]}, min {min(values)}, "
                            f"median {statistics.median(values):.0f}, max {max(values)}"
                            + (" KiB" if unit > 1 else "")))


def fit(points):
    """The slope of the line through `points` by least squares, and its standard error. Where each
    deviation is like the one before, as when free memory comes and goes in steps, there is less to go
    by than as many points: the error grows as it does for an autoregressive process of order 1."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxx = sum((x - mx) ** 2 for x, _ in points)
    slope = sum((x - mx) * (y - my) for x, y in points) / sxx
    off = [y - my - slope * (x - mx) for x, y in points]
    rest = sum(o * o for o in off)
    alike = sum(a * b for a, b in zip(off, off[1:])) / rest if rest else 0
    alike = min(max(alike, 0), 0.9)
    return slope, (rest / (n - 2) / sxx * (1 + alike) / (1 - alike)) ** 0.5
