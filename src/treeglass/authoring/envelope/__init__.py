"""Standard Envelopes of any tool: validated, reviewed, repaired and shortened.

For those who write a tool or a host in Python; `LS` itself needs none of it.
"""

from treeglass.authoring.envelope.repair import normalise_envelope
from treeglass.authoring.envelope.review import DataFamily, check_data, review_envelope
from treeglass.authoring.envelope.truncation import FrameworkTruncation, truncate_envelope
from treeglass.authoring.envelope.validation import (
    Envelope,
    EnvelopeContext,
    EnvelopeError,
    Stats,
    Truncation,
    validate_envelope,
)

__all__ = [
    "DataFamily",
    "Envelope",
    "EnvelopeContext",
    "EnvelopeError",
    "FrameworkTruncation",
    "Stats",
    "Truncation",
    "check_data",
    "normalise_envelope",
    "review_envelope",
    "truncate_envelope",
    "validate_envelope",
]
