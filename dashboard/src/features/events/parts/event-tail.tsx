import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { useCommandLine } from '../../../shared/session/command-line.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { List } from '../../../shared/ui/list.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Loading } from '../../../shared/ui/states.tsx';
import styles from '../events.module.css';
import { readCsv } from '../queries.ts';
import type { EventsSearch } from '../search.ts';
import { splitAt } from '../tail.ts';
import { usePause } from '../use-pause.ts';
import { useTail } from '../use-tail.ts';
import { useWebhookNames } from '../use-webhook-names.ts';
import { words } from '../words.ts';
import { listColumns } from './event-columns.tsx';
import { EventDetail } from './event-detail.tsx';
import { Filters } from './filters.tsx';
import { LinkedEvent } from './linked-event.tsx';
import { RateCard } from './rate-card.tsx';
import { TailButton } from './tail-button.tsx';

const route = getRouteApi('/$environment/events');

export function EventTail() {
  const environment = useEnvironment();
  const { event: openId, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { newest, tail, older, loadOlder, isLive } = useTail(filter);
  const { isPaused, toggle, setPointed } = usePause(openId !== undefined);
  const pausedAt = usePausedAt(isPaused, tail.rows[0]?.position);
  const { listed, waiting } = splitAt(tail, pausedAt);
  const change = (search: EventsSearch) => void navigate({ search, replace: true, resetScroll: false });
  const open = (id: string) => change(id === openId ? filter : { ...filter, event: id });
  const hasFilter = Object.keys(filter).length > 0;
  const names = useWebhookNames();
  const isListed = openId !== undefined && listed.some(({ id }) => id === openId);
  return (
    <Page
      title={words.title}
      note={words.note}
      actions={<TailButton isLive={isLive} isPaused={isPaused} waiting={waiting} onToggle={toggle} />}
    >
      <RateCard />
      <Filters filter={filter} rows={tail.rows} onChange={change} />
      {openId !== undefined && !isListed && newest.isSuccess && (
        <LinkedEvent id={openId} names={names} onClose={() => change(filter)} onFilter={change} />
      )}
      <Card isFlush>
        {newest.isError && listed.length === 0 && (
          <Failure error={newest.error} what={words.notLoaded} onRetry={() => void newest.refetch()} />
        )}
        {newest.isPending && <Loading rows={8} />}
        {newest.isSuccess && (
          <div
            className={styles.list}
            onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(true)}
            onPointerLeave={() => setPointed(false)}
          >
            <List
              label={words.list}
              rows={listed}
              columns={listColumns({ openId: openId ?? null, names, onOpen: open })}
              keyOf={({ id }) => id}
              openKey={openId ?? null}
              onOpen={({ id }) => open(id)}
              detail={(event) => <EventDetail event={event} names={names} onFilter={change} />}
              empty={hasFilter ? <NoMatch onClear={() => change({})} /> : <NoEvents />}
              more={tail.hasOlder ? { load: () => void loadOlder(), isLoading: older.isLoading } : null}
              csv={{ name: `events-${environment}.csv`, load: () => readCsv(environment, filter) }}
            />
          </div>
        )}
        {older.error !== null && (
          <Failure error={older.error} what={words.olderNotLoaded} onRetry={() => void loadOlder()} />
        )}
      </Card>
    </Page>
  );
}

/** The position of the newest event when the pause began. Nothing is held back before the first page is there. */
function usePausedAt(isPaused: boolean, newest: number | undefined): number | null {
  const position = useRef<number | null>(null);
  const wasPaused = useRef(false);
  if (!isPaused) position.current = null;
  else if (!wasPaused.current || position.current === null) position.current = newest ?? null;
  useEffect(() => {
    wasPaused.current = isPaused;
  }, [isPaused]);
  return isPaused ? position.current : null;
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty title={words.none} action={<Button onClick={onClear}>{words.clear}</Button>}>
      {words.noneNote}
    </Empty>
  );
}

function NoEvents() {
  const commandLine = useCommandLine();
  const command = commandLine('trigger data.updated --user USER_ID');
  return (
    <Empty title={words.empty} action={<Code value={command} label={words.commandLabel} />}>
      {words.emptyNote}
    </Empty>
  );
}
