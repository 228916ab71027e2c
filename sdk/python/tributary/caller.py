"""Sends requests until they succeed, fail permanently, or have no attempts left."""
from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import socket
import ssl
import time
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import ApiError, ConnectionFailed
from .parse_error import parse_error
from .stream import ExportStream, RawStream, parse_excluded

TEMPORARY = {408, 429, 500, 502, 503, 504}
Token = Union[str, Callable[[], str], None]


class Caller:
    """A client of one service, with one credential. Create it with `connect`."""

    form: int = 2

    def __init__(
        self,
        base_url: str,
        token: Token = None,
        *,
        timeout: float = 30.0,
        max_retries: int = 3,
        retry_delay: float = 0.5,
        max_retry_delay: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
            raise ValueError("base_url must be an http or https address, without a query")
        self._url = url
        self._token = token
        self._timeout = timeout
        self._max_retries = max_retries
        self._retry_delay = retry_delay
        self._max_retry_delay = max_retry_delay
        # Once: it reads the certificates of the system, which takes longer than a request.
        self._ssl_context = ssl_context or (ssl.create_default_context() if url.scheme == "https" else None)

    def call(
        self,
        method: str,
        template: str,
        path: Sequence[str],
        query: Mapping[str, Any],
        body: Any,
        *,
        is_idempotent: bool = False,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        is_stream: bool = False,
    ) -> Any:
        target = self._url.path.rstrip("/") + fill_path(template, path) + write_query(query)
        sent = None if body is None else json.dumps(body).encode()
        given = {name: value or str(uuid.uuid4()) for name, value in (headers or {}).items()}
        may_repeat = is_idempotent or method != "POST"
        retries = self._max_retries if max_retries is None else max_retries
        may_have_run = is_renewed = False
        attempts = 0
        while True:
            attempts += 1
            try:
                return self._attempt(method, target, sent, given, timeout, attempts, is_stream)
            except ApiError as error:
                if may_have_run and method == "DELETE" and is_gone(error, template):
                    return self._gone(template, path)
                if error.code == "token_expired" and callable(self._token) and not is_renewed:
                    is_renewed = True
                    continue
                nothing_done = error.status == 429 or error.code == "overloaded"
                can_retry = nothing_done or (may_repeat and error.status in TEMPORARY)
                delay = self._delay(attempts, error.retry_after)
                if not can_retry or attempts > retries or delay is None:
                    raise
            except ConnectionFailed as error:
                nothing_done = not error.was_sent
                delay = self._delay(attempts, 0.0)
                if not (may_repeat or nothing_done) or attempts > retries or delay is None:
                    raise
            may_have_run = may_have_run or not nothing_done
            time.sleep(delay)

    def stream(self, *args: Any, **options: Any) -> ExportStream:
        """For a response that is a file. Takes the arguments of `call`; the request is sent again only until data has arrived."""
        return self.call(*args, **options, is_stream=True)

    def _attempt(
        self,
        method: str,
        target: str,
        body: Optional[bytes],
        given: Mapping[str, str],
        timeout: Optional[float],
        attempts: int,
        is_stream: bool,
    ) -> Any:
        headers = {"api-form": str(self.form), **given}
        token = self._token() if callable(self._token) else self._token
        if token is not None:
            headers["authorization"] = f"Bearer {check_token(token)}"
        if body is not None:
            headers["content-type"] = "application/json"
        what = f"{method} {target.split('?')[0]}"
        connection = self._open(self._timeout if timeout is None else timeout)
        stream: Optional[ExportStream] = None
        try:
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            status = response.status
            if is_stream and status == 200:
                excluded = parse_excluded(response.getheader("tributary-excluded"))
                raw = RawStream(connection, response, lambda error: broken_stream(what, error, attempts))
                stream = ExportStream(raw, excluded)
                return stream
            content = response.read()
            if status == 204:
                return None
            if 200 <= status < 300:
                return json.loads(content)
        except (OSError, http.client.HTTPException, ValueError) as error:
            was_sent = not isinstance(error, (ConnectionRefusedError, socket.gaierror))
            raise ConnectionFailed(f"{what}: {describe(error)}", attempts, was_sent) from error
        finally:
            if stream is None:
                connection.close()
        retry_after = parse_retry_after(response.getheader("retry-after"))
        raise parse_error(status, content, response.getheader("x-request-id"), attempts, retry_after)

    def _open(self, timeout: float) -> http.client.HTTPConnection:
        # http.client takes the end of an IPv6 address for a port if it gets none.
        host, port = str(self._url.hostname), self._url.port or (80 if self._url.scheme == "http" else 443)
        if self._url.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=timeout)
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._ssl_context)

    def _delay(self, attempts: int, retry_after: float) -> Optional[float]:
        """Full jitter, after what the service asks for. None: the service asks for more than we wait."""
        if retry_after > self._max_retry_delay:
            return None
        longest = min(self._max_retry_delay, self._retry_delay * 2 ** (attempts - 1))
        return min(self._max_retry_delay, retry_after + random.random() * longest)

    def _gone(self, template: str, path: Sequence[str]) -> Optional[Dict[str, Any]]:
        """The result of a DELETE whose earlier attempt was lost and which finds nothing any more."""
        if template != "/v1/users/{}":
            return None
        deletion = {"id": path[0], "status": "deleting"}
        return {"data": deletion} if self.form == 1 else deletion


def is_gone(error: ApiError, template: str) -> bool:
    # The credential ends with its session, so that a repeated call is refused.
    return error.status == 404 or (error.code == "invalid_token" and template == "/v1/sdk/sessions/current")


def describe(error: Exception) -> str:
    return str(error) or type(error).__name__


def broken_stream(what: str, error: Exception, attempts: int) -> ConnectionFailed:
    return ConnectionFailed(f"{what}: the response is incomplete: {describe(error)}", attempts, True)


def check_token(token: str) -> str:
    """Without this, the error of a key that was read with its line break would contain the key."""
    if not re.fullmatch(r"[\x21-\x7e]*", token):
        raise ValueError("the credential has a space, a line break or another character that no credential has")
    return token


def fill_path(template: str, values: Sequence[str]) -> str:
    """An empty or relative part would name another resource."""
    for value in values:
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError("an id in the path is empty or not valid")
    return template.format(*(quote(value, safe="") for value in values))


def write_query(query: Mapping[str, Any]) -> str:
    given = {name: write_value(value) for name, value in query.items() if value is not None}
    return "?" + urlencode(given) if given else ""


def write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, Sequence) else str(value)


def parse_retry_after(header: Optional[str]) -> float:
    """Seconds or a date; 0 if the header is absent or not valid."""
    if header is None:
        return 0.0
    if re.fullmatch(r"\d+", header):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
