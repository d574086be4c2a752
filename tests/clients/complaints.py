"""What python-chess complains of, which it only logs."""

import logging


class Complaints(logging.Handler):
    """Collects what python-chess has to say against the engine."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())
