"""Answers that say "not open after 10 s", for `soak`."""

TIMED_OUT = -32004


class Lateness:
    """Counts requests whose time ran out, and says whether to make one again.

    On a machine that is shared, a source may take longer to open than a caller waits. That is right
    once and twice; a request that is always late is not.

    >>> late = Lateness(most=2)
    >>> error = {"code": -32004, "message": "a is not open after 10 s: its medium is slow"}
    >>> late.again(error, "a"), late.again(error, "b"), late.again(error, "a"), late.again(error, "a")
    (True, True, True, False)
    >>> late.count
    4
    >>> late.done("b"); late.again(error, "b"), late.again(error, "b")
    (True, True)
    >>> late.again({"code": -32001, "message": "there is no source"}, "c"), late.count
    (False, 6)
    """

    def __init__(self, most=5):
        self.most, self.count, self.tries = most, 0, {}

    def again(self, error, request):
        """Whether `request`, which was answered with `error`, is to be made again."""
        if error["code"] != TIMED_OUT:
            return False
        self.count += 1
        self.tries[request] = self.tries.get(request, 0) + 1
        return self.tries[request] <= self.most

    def done(self, request):
        """`request` was answered in time."""
        self.tries.pop(request, None)
