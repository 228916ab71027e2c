"""A client for a Tributary service. `connect` returns a client of one form."""
from __future__ import annotations

from typing import Any, Callable, Literal, Optional, Union, overload


from .errors import ApiError, ConnectionFailed, TributaryError
from .errors_gen import *  # noqa: F401,F403
from .lists import event_pages, follow_events, iterate
from .operations_gen import TributaryForm1, TributaryForm2
from .stream import ExportStream
from .webhooks import WebhookVerificationError, verify_webhook

__version__ = "0.2.0"


@overload
def connect(base_url: str, *, form: Literal[1], api_key: Optional[str] = None, token: Union[str, Callable[[], str], None] = None, **options: Any) -> TributaryForm1: ...
@overload
def connect(base_url: str, *, form: Literal[2], api_key: Optional[str] = None, token: Union[str, Callable[[], str], None] = None, **options: Any) -> TributaryForm2: ...
def connect(
    base_url: str,
    *,
    form: int,
    api_key: Optional[str] = None,
    token: Union[str, Callable[[], str], None] = None,
    **options: Any,
) -> Any:
    """Options: timeout, max_retries, retry_delay, max_retry_delay (seconds), ssl_context."""
    if form not in (1, 2):
        raise ValueError("form must be 1 or 2")
    if api_key is not None and token is not None:
        raise ValueError("pass api_key or token, not both")
    return (TributaryForm1 if form == 1 else TributaryForm2)(base_url, api_key if token is None else token, **options)
