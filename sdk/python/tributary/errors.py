"""Errors of this library. Each code of the API has a class of its own in errors_gen."""
from __future__ import annotations

import re
from typing import Any, Dict, Optional


class TributaryError(Exception):
    """Every error of this library."""


class ConnectionFailed(TributaryError):
    """No response arrived: the service cannot be reached, the connection broke, or the time is over."""

    def __init__(self, message: str, attempts: int, was_sent: bool) -> None:
        super().__init__(message)
        self.attempts = attempts
        #: False: the connection was not opened, so the service cannot have seen the request.
        self.was_sent = was_sent


class ApiError(TributaryError):
    """The service answered with an error. A code that is newer than this library has this class."""

    def __init__(
        self,
        code: str,
        message: str,
        details: Dict[str, Any],
        status: int,
        request_id: Optional[str],
        attempts: int,
        retry_after: float,
    ) -> None:
        # A printed error names the issues, instead of saying where to look for them.
        super().__init__(describe(message, details))
        self.code = code
        self.message = message
        self.details = details
        self.status = status
        self.request_id = request_id
        self.attempts = attempts
        #: Seconds that the service asks to wait; 0 if it does not.
        self.retry_after = retry_after


MAX_LISTED = 3


def describe(message: str, details: Dict[str, Any]) -> str:
    issues, unsupported = details.get("issues"), details.get("unsupported")
    if isinstance(issues, list):
        found = [describe_issue(issue) for issue in issues]
    else:
        found = [str(one) for one in unsupported] if isinstance(unsupported, list) else []
    if not found:
        return message
    others = f" and {len(found) - MAX_LISTED} more" if len(found) > MAX_LISTED else ""
    return re.sub(r" See details\.\w+\.$", "", message) + " " + "; ".join(found[:MAX_LISTED]) + others


def describe_issue(issue: Any) -> str:
    if not isinstance(issue, dict):
        return str(issue)
    return f"{issue['path']}: {issue.get('message')}" if issue.get("path") else str(issue.get("message"))
