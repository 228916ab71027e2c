"""The error of a response, with the class of its code."""
from __future__ import annotations

import json
from typing import Optional

from .errors import ApiError
from .errors_gen import ERROR_CLASSES


def parse_error(status: int, body: bytes, request_id: Optional[str], attempts: int, retry_after: float) -> ApiError:
    try:
        parsed = json.loads(body)
        code, message, details = str(parsed["error"]), str(parsed["message"]), parsed.get("details")
        details = details if isinstance(details, dict) else {}
    except (ValueError, TypeError, KeyError, AttributeError):
        code, message, details = f"http_{status}", f"The service answered {status} without an error code.", {}
    return ERROR_CLASSES.get(code, ApiError)(code, message, details, status, request_id, attempts, retry_after)
