import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useLive } from '../../shared/live/use-live.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { List } from '../../shared/ui/list.tsx';
import { Empty, Failure, Loading } from '../../shared/ui/states.tsx';
import { Chips } from '../../shared/ui/tabs.tsx';
import { useUserHead, useUserId } from '../../shared/user/head.ts';
import { LOG_KINDS } from './log-kind.ts';
import { listColumns } from './parts/columns.tsx';
import { EntryDetails } from './parts/entry-details.tsx';
import { type LogEntry, logQuery, readCsv } from './queries.ts';
import { words } from './words.ts';

const route = getRouteApi('/$environment/users/$userId/log');

/** What happened to this user, newest first. */
export function LogPage() {
  const environment = useEnvironment();
  const userId = useUserId();
  const { user, devices } = useUserHead();
  const { kind, entry: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const log = useInfiniteQuery(logQuery({ environment, userId, kind }));
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const [hasNews, setNews] = useState(false);
  // A list does not move while it is read: new rows wait until the reader asks for them.
  useLive({ onEvent: (event) => event.user_id === userId && setNews(true) });
  const showNews = () => {
    setNews(false);
    void log.refetch();
  };
  const setSearch = (search: { kind?: typeof kind; entry?: string }) =>
    void navigate({ search, replace: true, resetScroll: false });
  return (
    <>
      <Chips
        label={words.filters}
        choices={[
          { value: 'all', text: words.all },
          ...LOG_KINDS.map((one) => ({ value: one, text: words.kinds[one] })),
        ]}
        value={kind ?? 'all'}
        onChange={(next) => setSearch(next === 'all' ? {} : { kind: next })}
      />
      {hasNews && (
        <Callout actions={<Button onClick={showNews}>{words.showNew}</Button>} isAnnounced>
          {words.newEntries}
        </Callout>
      )}
      <Card isFlush>
        {log.isPending && <Loading rows={8} />}
        {log.isError && rows.length === 0 && (
          <Failure error={log.error} what={words.notLoaded} onRetry={() => void log.refetch()} />
        )}
        {log.isSuccess && (
          <List<LogEntry>
            label={words.log}
            rows={rows}
            columns={listColumns(devices, user.timezone)}
            keyOf={keyOf}
            openKey={openId ?? null}
            onOpen={(row) => setSearch({ ...(kind && { kind }), ...(keyOf(row) !== openId && { entry: keyOf(row) }) })}
            detail={(row) => <EntryDetails entry={row} />}
            empty={
              <Empty title={words.emptyTitle}>
                {kind ? words.emptyOf(words.kinds[kind].toLowerCase()) : words.empty}
              </Empty>
            }
            more={log.hasNextPage ? { load: () => void log.fetchNextPage(), isLoading: log.isFetchingNextPage } : null}
            csv={{
              name: `log-${user.reference_id}.csv`,
              load: () => readCsv({ environment, userId, kind }),
            }}
          />
        )}
      </Card>
    </>
  );
}

/** An upload and an event may have the same id. */
function keyOf({ kind, id }: LogEntry): string {
  return `${kind}:${id}`;
}
