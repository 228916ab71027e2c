import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLive } from '../../shared/live/use-live.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { type EventFilter, eventsQuery, readPage } from './queries.ts';
import { addArrived, addNewest, addOlder, matches, type Tail } from './tail.ts';

const MARKS_MS = 1_000; // deliveries change in bursts; one call shows the state of all

/** The rows of a filter, which follow the stream. Give it a `key` of the filter: another filter starts over. */
export function useTail(filter: EventFilter) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const query = eventsQuery(environment, filter);
  const newest = useQuery(query);
  const [tail, setTail] = useState<Tail>({ rows: [], hasOlder: false });
  const [older, setOlder] = useState<{ isLoading: boolean; error: unknown }>({ isLoading: false, error: null });
  const { data } = newest;
  // Before the page is painted, so that a full list is never shown as an empty one.
  useLayoutEffect(() => {
    if (data) setTail((old) => addNewest(old, data));
  }, [data]);
  const refresh = useDelayed(() => void queries.invalidateQueries({ queryKey: query.queryKey }), MARKS_MS);
  const isLive = useLive({
    onEvent: (event) => {
      if (matches(event, filter, data?.user_ids ?? null)) setTail((old) => addArrived(old, [event]));
    },
    onDeliveries: refresh,
  });
  const loadOlder = async () => {
    setOlder({ isLoading: true, error: null });
    try {
      const page = await readPage(environment, filter, tail.rows.at(-1)?.position);
      setTail((old) => addOlder(old, page));
      setOlder({ isLoading: false, error: null });
    } catch (error) {
      setOlder({ isLoading: false, error });
    }
  };
  return { newest, tail, older, loadOlder, isLive };
}

/** Runs once, a while after the first of several calls. */
function useDelayed(run: () => void, delayMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, delayMs);
  };
}
