"""Walks lists to their end: cursors in Form 2, page numbers in Form 1, and the feed of events."""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, Iterator, Optional


def iterate(read: Callable[..., Any], *args: Any, **query: Any) -> Iterator[Any]:
    """All items of a list method: `iterate(client.list_workouts, user_id, limit=100)`."""
    position: Optional[Dict[str, Any]] = {}
    while position is not None:
        page = read(*args, **{**query, **position})
        yield from page["data"]
        position = _next_position(page)


def _next_position(page: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    if page.get("next_cursor") is not None:
        return {"cursor": page["next_cursor"]}
    meta = page.get("meta")
    if not page["data"] or not isinstance(meta, dict) or "page" not in meta:
        return None
    return {"page": meta["page"] + 1} if meta["page"] * meta["per_page"] < meta["total"] else None


def event_pages(client: Any, cursor: Optional[str] = None, **query: Any) -> Iterator[Dict[str, Any]]:
    """Pages of events up to now. Store `cursor` of a page when you are done with its `events`."""
    while True:
        page = client.list_events(cursor=cursor, **query)
        yield page
        if not page["has_more"]:
            return
        cursor = page["cursor"]


def follow_events(
    client: Any, cursor: Optional[str] = None, poll_seconds: float = 5.0, **query: Any
) -> Iterator[Dict[str, Any]]:
    """Pages of events for ever, waiting for new ones; pages without events are skipped."""
    while True:
        for page in event_pages(client, cursor, **query):
            if page["events"]:
                yield page
            cursor = page["cursor"]
        time.sleep(poll_seconds)
