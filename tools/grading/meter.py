"""Measure what the processes of a sandbox use, so that a busy machine takes no points.

A limit counts processor time, of children too, and the time in which none of them runs or waits for a processor.
The clock is the last resort: it runs `PATIENCE` times as long.
"""

import os
import time
from pathlib import Path

from tools.grading.exchange import PATIENCE

TICKS = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 0.5  # between two samples
ENDED, ASLEEP, CLOCK = "it ended Python", "it waited too long without computing", "it took too long by the clock"


class Budget:
    """What one file may use: seconds of processor time, seconds asleep, and `PATIENCE` times both by the clock."""

    def __init__(self, work, asleep):
        self.work, self.asleep = work, asleep
        self.used = self.slept = 0.0
        self.until = time.monotonic() + PATIENCE * work

    @property
    def left(self):
        """The seconds of processor time that are left, or 0 if any limit is reached."""
        over = self.slept > self.asleep or time.monotonic() > self.until
        return 0 if over else max(0, self.work - self.used)


class Meter:
    """Charge a budget with the processor time and the sleep of a process and its descendants."""

    def __init__(self, pid, budget, is_visible):
        self.pid, self.budget, self.is_visible = pid, budget, is_visible and Path("/proc/self/stat").exists()
        self.total, self.measured, self.since = 0.0, 0.0, time.monotonic()

    def restart(self):
        """Ignore sleep before now, because the process had nothing to do."""
        if time.monotonic() - self.measured > SAMPLE_SECONDS:
            self.sample(may_sleep=True)
        self.since = time.monotonic()

    def sample(self, may_sleep=False):
        """Charge work, and other time as sleep if nothing runs or waits to run, unless it `may_sleep`."""
        if not self.is_visible:
            return
        (total, is_running), now = usage(self.pid), time.monotonic()
        worked = max(0, total - self.total)  # the time of a child that was never waited for disappears with it
        self.budget.used += worked
        self.budget.slept += 0 if is_running or may_sleep else max(0, now - self.since - worked)
        self.total, self.measured, self.since = total, now, now


def usage(pid):
    """The processor time of a process and its descendants, and whether one of them runs or waits to run."""
    total, is_running = 0.0, False
    for own in descendants(pid):
        fields = status(f"/proc/{own}/stat")
        total += sum(map(int, fields[11:15])) / TICKS  # its own, and that of children that it waited for
        is_running = is_running or any(state(own, thread) in "RD" for thread in entries(f"/proc/{own}/task"))
    return total, is_running


def descendants(pid):
    """A process and all processes below it."""
    children = {}
    for each in entries("/proc"):
        if each.isdigit() and (fields := status(f"/proc/{each}/stat")):
            children.setdefault(int(fields[1]), []).append(int(each))
    found = [pid]
    for each in found:
        found += children.get(each, ())
    return found


def state(pid, thread):
    return next(iter(status(f"/proc/{pid}/task/{thread}/stat")), "Z")


def status(path):
    """The fields of a process behind its name, which may contain anything; none if it has just ended."""
    try:
        return Path(path).read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def entries(path):
    try:
        return os.listdir(path)
    except OSError:
        return []
