import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { onConnectionChange, readLostSince } from '../api/connection.ts';
import { sessionQuery } from '../shared/session/session.ts';
import { clock } from '../shared/time/format-time.ts';
import { Callout } from '../shared/ui/callout.tsx';
import styles from './connection-state.module.css';

const RETRY_MS = 5_000;

export function ConnectionState() {
  const isLost = useSyncExternalStore(onConnectionChange, readLostSince) !== null;
  return (
    <span className={styles.state} data-lost={isLost || undefined}>
      {isLost ? 'Not connected' : 'Connected'}
    </span>
  );
}

/** Says that the service cannot be reached, and since when. The page stays; it is loaded again as soon as the service answers. */
export function OfflineLine() {
  const since = useSyncExternalStore(onConnectionChange, readLostSince);
  const queries = useQueryClient();
  useEffect(() => {
    if (since === null) return;
    const timer = setInterval(() => void queries.refetchQueries({ queryKey: sessionQuery.queryKey }), RETRY_MS);
    return () => {
      clearInterval(timer);
      void queries.invalidateQueries();
    };
  }, [since, queries]);
  if (since === null) return null;
  return (
    <Callout tone="warn" isAnnounced>
      <b>No connection to the service since {clock(since)}.</b> What you see is from before. The page reconnects by
      itself.
    </Callout>
  );
}
