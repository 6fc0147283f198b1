"""What another client sees of the daemon while the map moves, for `faults`, and for how long the machine
let it wait, for `kills` as well."""

import glob
import os
import time

# Milliseconds that are allowed in any case for an answer, and from one frame to the next. If the loop
# itself read a slow medium, it would take longer (`slow` in faults.c).
ANSWER, GAP = 250, 100


class Look:
    """How long answers took, and the times between frames, in milliseconds; how many frames of the
    movement came, and how many of them late."""

    def __init__(self, seconds):
        self.seconds, self.answers, self.gaps, self.frames, self.late = seconds, [], [], 0, 0

    def __str__(self):
        return (f"answers p99 {p99(self.answers):.0f}, max {max(self.answers):.0f} ms; "
                f"frame to frame p99 {p99(self.gaps):.0f} ms, {self.late} of {self.frames} late")

    def worse(self, usual):
        """What is worse than `usual`, a look without a fault, allows; None if nothing is.

        >>> usual, look = Look(1), Look(1)
        >>> usual.answers, usual.gaps, usual.frames = [1, 2], [17, 18], 30
        >>> look.answers, look.gaps, look.frames = [1, 240], [17, 95], 11
        >>> look.worse(usual)
        >>> look.answers.append(301); look.worse(usual)
        'an answer took 301 ms, more than 250'
        >>> usual.answers.append(70); look.worse(usual)
        >>> look.gaps.append(120); look.worse(usual)
        'frames came 120 ms apart (p99), more than 100'
        >>> look.gaps, look.frames, look.late = [17], 9, 9; look.worse(usual)
        '9 frames, where 30 are usual'
        >>> look.frames, look.late = 30, 20; look.worse(usual)
        '20 of 30 frames were late, where 0 of 30 are usual'
        >>> look.seconds, look.frames, look.late = 0.4, 5, 0; look.worse(usual)
        """
        answer = max(ANSWER, 5 * p99(usual.answers))
        if max(self.answers) > answer:
            return f"an answer took {max(self.answers):.0f} ms, more than {answer:.0f}"
        gap = max(GAP, 5 * p99(usual.gaps))
        if p99(self.gaps) > gap:
            return f"frames came {p99(self.gaps):.0f} ms apart (p99), more than {gap:.0f}"
        frames = usual.frames * self.seconds / usual.seconds
        if self.frames < frames / 3:
            return f"{self.frames} frames, where {frames:.0f} are usual"
        if self.late / self.frames > usual.late / max(usual.frames, 1) + 0.5:
            return (f"{self.late} of {self.frames} frames were late, where {usual.late} of "
                    f"{usual.frames} are usual")
        return None


def p99(values):
    return sorted(values)[int(len(values) * 0.99)] if values else 0.0


def waited(pid, name=None):
    """Seconds for which the first threads of the daemon and of this process, and the daemon's thread
    `name`, were ready to run, and the machine had no processor for them (the kernel's
    Documentation/scheduler/sched-stats.rst); 0 where the kernel does not tell."""
    total = 0
    folders = [f"/proc/{pid}/task/{pid}", f"/proc/self/task/{os.getpid()}"]
    for folder in glob.glob(f"/proc/{pid}/task/*") if name else []:
        if text(folder + "/comm").strip() == name:
            folders.append(folder)
    for folder in folders:
        total += int((text(folder + "/schedstat").split() + ["0", "0"])[1])
    return total / 1e9


def others_rest(pid):
    """How long each of a process's threads but the first one ran, and how often; None while one runs,
    is about to, or waits for a disk."""
    found = {}
    for folder in glob.glob(f"/proc/{pid}/task/*"):
        if not folder.endswith(f"/{pid}"):
            # proc_pid_stat(5): the state comes after the name in brackets.
            if text(folder + "/stat").rpartition(")")[2].split()[:1] != ["S"]:
                return None
            found[folder] = text(folder + "/schedstat")
    return found


def text(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def look(client, pid, seconds):
    """Moves the map to and fro for `seconds` and asks for its figures all the time. What the machine
    kept a thread waiting does not count."""
    found, direction = Look(seconds), 1
    before = client.call("stats")["frames"]
    begun = turned = time.monotonic()
    shown, shown_at = before["presented"], (begun, waited(pid))
    while True:
        now = (time.monotonic(), waited(pid))
        if now[0] > begun + seconds:
            break
        if now[0] >= turned:
            direction, turned = -direction, now[0] + 0.2
            client.call("view.pan", {"dx": 60 * direction, "dy": 0, "animate": True})
        else:
            frames = client.call("stats")["frames"]
            if frames["presented"] != shown:
                end = (time.monotonic(), waited(pid))
                found.gaps.append(milliseconds(shown_at, end) / (frames["presented"] - shown))
                shown, shown_at = frames["presented"], end
        found.answers.append(milliseconds(now, (time.monotonic(), waited(pid))))
        time.sleep(0.002)
    # No frame since then counts as well.
    found.gaps.append(milliseconds(shown_at, (time.monotonic(), waited(pid))))
    after = client.call("stats")["frames"]
    found.frames = after["presented"] - before["presented"]
    found.late = after["late"] - before["late"]
    return found


def milliseconds(begin, end):
    """From one (time, waited) to another, without what was waited."""
    return 1000 * max(end[0] - begin[0] - (end[1] - begin[1]), 0)
