import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useFollowedPages } from '../../shared/list/use-followed-pages.ts';
import { keysQuery } from '../../shared/query/keys-query.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { readerZone } from '../../shared/time/format-time.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Code } from '../../shared/ui/code.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty, Failure, Loading } from '../../shared/ui/states.tsx';
import { RequestFilters } from './parts/request-filters.tsx';
import { RequestList } from './parts/request-list.tsx';
import { UsageCard } from './parts/usage-card.tsx';
import { latestRequests, type Request, requestsQuery } from './queries.ts';
import { filterParameters } from './request-filter.ts';
import styles from './requests.module.css';
import { words } from './words.ts';

const route = getRouteApi('/$environment/requests');

export function RequestsPage() {
  const environment = useEnvironment();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(requestsQuery(environment, filter));
  const { rows, newer, showNewer } = useFollowedPages<Request>(pages, latestRequests(environment, filter));
  const keys = useQuery(keysQuery(environment));
  const change = (search: typeof filter) => void navigate({ search, replace: true, resetScroll: false });
  const hasFilter = Object.keys(filter).length > 0;
  return (
    <Page
      title={words.title}
      note={`${words.note} ${words.zone(readerZone())}`}
      isRefreshing={pages.isRefetching || pages.isPlaceholderData}
    >
      <UsageCard />
      <Card isFlush>
        <RequestFilters
          filter={filter}
          keys={keys.data?.data ?? []}
          routes={rows.map((request) => request.route)}
          onChange={change}
        />
        {newer > 0 && (
          <p className={styles.newer} role="status">
            <Button kind="ghost" icon="up" onClick={showNewer}>
              {words.newer(newer)}
            </Button>
          </p>
        )}
        {pages.isPending && <Loading rows={8} />}
        {pages.isError && rows.length === 0 && (
          <Failure error={pages.error} what={words.notLoaded} onRetry={() => void pages.refetch()} />
        )}
        {pages.isSuccess && rows.length === 0 && (hasFilter ? <NoneMatch onClear={() => change({})} /> : <None />)}
        {rows.length > 0 && (
          <RequestList
            label={words.list}
            rows={rows}
            more={
              pages.hasNextPage ? { load: () => void pages.fetchNextPage(), isLoading: pages.isFetchingNextPage } : null
            }
            csv={{
              name: `requests-${environment}.csv`,
              load: () => api.csv(`/${environment}/requests`, { query: { ...filterParameters(filter), limit: 1_000 } }),
            }}
          />
        )}
      </Card>
    </Page>
  );
}

function NoneMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty title={words.noneMatch} action={<Button onClick={onClear}>{words.clear}</Button>}>
      {words.noneMatchNote}
    </Empty>
  );
}

function None() {
  const call = `curl ${window.location.origin}/v1/users \\\n  -H "Authorization: Bearer $TRIBUTARY_API_KEY"`;
  return (
    <Empty title={words.emptyTitle} action={<Code value={call} label={words.curl} />}>
      {words.empty}
    </Empty>
  );
}
