import { useSyncExternalStore } from 'react';
import { onConnectionChange, readLostSince } from '../api/connection.ts';
import styles from './connection-state.module.css';

export function ConnectionState() {
  const isLost = useSyncExternalStore(onConnectionChange, readLostSince) !== null;
  return (
    <span className={styles.state} data-lost={isLost || undefined}>
      {isLost ? 'Not connected' : 'Connected'}
    </span>
  );
}
