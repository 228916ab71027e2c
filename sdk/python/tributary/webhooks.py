"""Verifies deliveries, which are signed according to Standard Webhooks."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .errors import TributaryError

MAX_SIGNATURES = 10


class WebhookVerificationError(TributaryError):
    """Not a delivery of this webhook: answer 400 and do nothing."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: float = 300.0,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Returns the event. `body` is the bytes as received; `secret` may be a list while one is being replaced."""
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = _read(lower, "webhook-id"), _read(lower, "webhook-timestamp")
    signatures = [one[3:] for one in _read(lower, "webhook-signature").split(" ") if one.startswith("v1,")]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookVerificationError("invalid_timestamp", "The header webhook-timestamp is not a time.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("expired", "The time of the delivery is too far away. Check the clock.")
    message = f"{message_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not any(_is_signed(message, _decode(one), signatures[:MAX_SIGNATURES]) for one in secrets):
        raise WebhookVerificationError("wrong_signature", "No signature matches. Check the secret, and pass the body unchanged.")
    try:
        return json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("invalid_body", "The body is not JSON.") from error


def _read(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError("missing_header", f"The header {name} is missing.")
    return value


def _decode(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("the secret must be the whsec_… of the webhook")
    return key


def _is_signed(message: bytes, key: bytes, signatures: Sequence[str]) -> bool:
    expected = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest())
    return any([hmac.compare_digest(expected, one.encode()) for one in signatures])
