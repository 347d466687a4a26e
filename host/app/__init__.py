"""The commands of `gamehost`, one module each; with `__main__` the only code that knows everybody."""


class AppError(Exception):
    """Something that the person at the keyboard can mend; the message is one clear sentence.

    `code` is the exit code: 1 something failed, 2 wrong usage, 3 something is missing on this machine.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code
