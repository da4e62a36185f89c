"""Answers to the exercises by chapter: wrong ones with what the check replies, and unusual right ones."""


def function_for(check, arguments):
    """`answer(*lines)`: an answer to a check that is given a function; the last line is what it returns."""

    def answer(*lines):
        *before, result = lines
        body = "\n    ".join([*before, f"return {result}"])
        return f"@{check}\ndef answer({arguments}):\n    {body}"

    return answer
