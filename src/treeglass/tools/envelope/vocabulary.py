"""The closed word lists of the Standard Envelope v1.0.

Apart from the models, so that answering a call never loads what only checks
answers.
"""

from __future__ import annotations

from typing import Literal, get_args

EnvelopeStatus = Literal["success", "partial", "error"]

ErrorCode = Literal[
    "NOT_FOUND",
    "ACCESS_DENIED",
    "INVALID_PARAM",
    "TIMEOUT",
    "INTERNAL_ERROR",
    "PERMISSION_DENIED",
    "EXECUTION_ERROR",
    "CONFLICT",
    "IS_DIRECTORY",
    "BINARY_FILE",
    # From here on the protocol's later extensions.
    "CIRCUIT_OPEN",
    "ASK_USER_UNAVAILABLE",
    "MCP_PARAM_ERROR",
    "MCP_PARSE_ERROR",
    "MCP_EXECUTION_ERROR",
    "MCP_NETWORK_ERROR",
    "MCP_TIMEOUT",
    "MCP_NOT_FOUND",
]
"""Every code that `error.code` may have: ten of the core, eight extensions."""

STATUSES: tuple[EnvelopeStatus, ...] = get_args(EnvelopeStatus)
ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)

TruncationDirection = Literal["head", "tail", "head_tail"]
