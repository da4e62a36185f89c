"""Answers to the exercises by chapter: wrong ones with the check's reply, and unusual correct ones."""


def function_for(check, arguments):
    """Return `answer(*lines)`, which defines a function for a check; the last line is the returned expression."""

    def answer(*lines):
        *before, result = lines
        body = "\n    ".join([*before, f"return {result}"])
        return f"@{check}\ndef answer({arguments}):\n    {body}"

    return answer
