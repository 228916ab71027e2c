// What a part shows while it has no data: shapes, a failure, or what would be here.
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icon.tsx';
import styles from './states.module.css';

const PATIENCE_MS = 150; // faster responses need no shapes

/** Nothing for 150 ms, then grey shapes in the place of what comes: rows, or shapes of your own. */
export function Loading({ rows = 4, children }: { rows?: number; children?: ReactNode }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={isSlow ? styles.loading : styles.waiting} aria-busy="true">
      {isSlow && (
        <span role="status">
          <HiddenText>Loading</HiddenText>
        </span>
      )}
      {children ?? ROWS.slice(0, rows).map((width) => <Shape key={width} width={width} />)}
    </div>
  );
}

const ROWS = ['38%', '92%', '74%', '86%', '64%', '90%', '71%', '83%'];

/** A grey shape, as large as the content that it replaces. */
export function Shape({
  width = '100%',
  height = 14,
  radius,
}: {
  width?: string | number | undefined;
  height?: number;
  radius?: number;
}) {
  return <span className={styles.shape} style={{ width, height, borderRadius: radius }} />;
}

type FailureProps = {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** What could not be done: "The keys could not be loaded." */
  readonly what?: string;
};

/** A part that failed; the rest of the page works. */
export function Failure({ error, onRetry, what }: FailureProps) {
  const { title, advice, requestId } = describeFailure(error, what);
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warn" size={20} />
      <div>
        <p className={styles.title}>{title}</p>
        <p className={styles.advice}>{advice}</p>
        {requestId && (
          <p className={styles.request}>
            <code>{requestId}</code>
            <Copy text={requestId} what="the request id" />
          </p>
        )}
      </div>
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function describeFailure(error: unknown, what = 'This could not be loaded.') {
  if (!(error instanceof ApiError))
    return {
      title: what,
      advice: 'Something went wrong on this page. Reload it; if it happens again, report it.',
      requestId: null,
    };
  const { status, message, requestId } = error;
  if (status === 404)
    return {
      title: 'Not found',
      advice: 'It was deleted, its user stopped sharing, or it is in the other environment.',
      requestId,
    };
  return { title: what, advice: message, requestId };
}

type EmptyProps = { readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode };

/** What would be here, and the one action that brings it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.advice}>{children}</div>}
      {action}
    </div>
  );
}
