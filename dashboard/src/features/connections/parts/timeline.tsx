import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { dateTime } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Failure } from '../../../shared/ui/states.tsx';
import { useUserId } from '../../../shared/user/head.ts';
import styles from '../connections.module.css';
import { type Connection, syncsQuery } from '../queries.ts';
import { buildTimeline, describeTime } from '../timeline.ts';
import { words } from '../words.ts';

const SHOWN = 5;

type Props = { readonly connection: Connection; readonly nowMs: number; readonly zone: string };

/** Newest first; the dotted point is what comes next. */
export function Timeline({ connection, nowMs, zone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const hasLog = connection.log.length > 0;
  const query = syncsQuery(useEnvironment(), useUserId(), connection.id);
  const older = useInfiniteQuery({ ...query, enabled: isOpen && hasLog });
  const runs = older.data?.pages.flatMap(({ data }) => data) ?? [];
  const points = buildTimeline(connection, nowMs, zone, isOpen ? runs : []);
  const shown = isOpen ? points : points.slice(0, SHOWN);
  return (
    <>
      <ol className={styles.timeline} aria-label={words.timeline}>
        {shown.map(({ key, at, tone, title, note }) => (
          <li key={key} data-tone={tone}>
            <time {...(at && { dateTime: at, title: `${dateTime(at, zone)} (${zone})` })}>
              {at && describeTime(at, nowMs, zone)}
            </time>
            <div>
              <p>{title}</p>
              {note && <small>{note}</small>}
            </div>
          </li>
        ))}
      </ol>
      {isOpen && older.isError && <Failure error={older.error} onRetry={() => void older.refetch()} />}
      <div className={styles.bar}>
        {points.length > SHOWN && (
          <Button kind="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.showLess : words.showMore}
          </Button>
        )}
        {isOpen && older.hasNextPage && (
          <Button kind="ghost" isBusy={older.isFetchingNextPage} onClick={() => void older.fetchNextPage()}>
            {words.allSyncs}
          </Button>
        )}
      </div>
    </>
  );
}
