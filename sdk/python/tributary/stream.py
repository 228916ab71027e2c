"""A response as a file of bytes, read at the pace of its reader."""
from __future__ import annotations

import http.client
import io
import json
from typing import Any, Callable, Dict, List, Optional, TypedDict

CHUNK_BYTES = 65_536


class ExcludedProvider(TypedDict):
    provider: str
    restrictions: List[str]


class Exclusions(TypedDict):
    providers: List[ExcludedProvider]
    #: Number of records by resource.
    records: Dict[str, int]


class ExportStream(io.BufferedReader):
    """A binary file: read it, walk its lines, copy it. Use it in a `with` block, which closes the connection.

    If the response breaks off, reading raises `ConnectionFailed`: the data is incomplete."""

    #: What the export excludes because the terms of a provider forbid passing it on. None: the file is complete.
    excluded: Optional[Exclusions]

    def __init__(self, raw: RawStream, excluded: Optional[Exclusions]) -> None:
        super().__init__(raw, CHUNK_BYTES)
        self.excluded = excluded


class RawStream(io.RawIOBase):
    """Reads the first bytes when it is created, while the request can still be sent again."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        broken: Callable[[Exception], Exception],
    ) -> None:
        super().__init__()
        self._connection = connection
        self._response = response
        self._broken = broken
        self._failure: Optional[Exception] = None
        self._left = response.length  # None: the response is in chunks, whose end http.client checks
        self._first = self._receive()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._failure is not None:
            raise self._failure
        try:
            data = self._first or self._receive(len(buffer))
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._failure = self._broken(error)
            raise self._failure from error
        taken = data[: len(buffer)]
        self._first = self._first[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _receive(self, size: int = CHUNK_BYTES) -> bytes:
        if self._left is None:
            return self._response.read1(size)
        # http.client before 3.13 waits after the last byte, and ends silently if fewer than announced arrive.
        if self._left == 0:
            return b""
        data = self._response.read1(min(size, self._left))
        if not data:
            raise http.client.IncompleteRead(data, self._left)
        self._left -= len(data)
        return data

    def close(self) -> None:
        if not self.closed:
            self._connection.close()
            self._response.close()
        super().close()


def parse_excluded(header: Optional[str]) -> Optional[Exclusions]:
    return None if header is None else json.loads(header)
