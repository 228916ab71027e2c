import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { dateTime } from '../../shared/time/format-time.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Field, Select } from '../../shared/ui/field.tsx';
import { type Column, List } from '../../shared/ui/list.tsx';
import { Empty, Failure, Loading } from '../../shared/ui/states.tsx';
import { describeAction } from './describe-action.ts';
import { AuditDetails } from './parts/audit-details.tsx';
import { type AuditEntry, auditParameters, auditQuery } from './queries.ts';
import styles from './settings.module.css';
import { words } from './words.ts';

const route = getRouteApi('/$environment/settings/audit');

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    name: words.what,
    narrow: 'first',
    csv: ({ action }) => action,
    cell: ({ action }) => <b className={styles.action}>{describeAction(action)}</b>,
  },
  {
    name: words.who,
    csv: ({ actor }) => actor.name ?? actor.kind,
    cell: ({ actor }) => actor.name ?? words.actors[actor.kind] ?? actor.kind,
  },
  { name: words.via, csv: ({ via }) => via, cell: ({ via }) => words.vias[via] ?? via },
  {
    name: words.where,
    csv: ({ environment }) => environment,
    cell: ({ environment }) => environment ?? words.wholeAccount,
  },
  {
    name: words.when,
    isNumber: true,
    csv: ({ at }) => at,
    cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time>,
  },
];

export function AuditPage() {
  const { entry, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const audit = useInfiniteQuery(auditQuery(filter));
  const rows = audit.data?.pages.flatMap(({ data }) => data) ?? [];
  const opened = rows.find(({ id }) => id === entry);
  const set = (part: Record<string, string | undefined>) =>
    void navigate({ search: (old) => dropEmpty({ ...old, entry: undefined, ...part }), replace: true });
  const hasFilter = Object.keys(filter).length > 0;
  return (
    <>
      <div className={styles.filters}>
        <Select
          label={words.what}
          isLabelHidden
          options={words.actionFilters}
          value={filter.action ?? ''}
          onChange={(event) => set({ action: event.target.value })}
        />
        <Field
          label={words.since}
          isLabelHidden
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => set({ from: event.target.value })}
        />
        {hasFilter && (
          <Button kind="ghost" icon="cross" onClick={() => void navigate({ search: {}, replace: true })}>
            {words.clearFilters}
          </Button>
        )}
      </div>
      <div className={styles.withDetails} data-open={opened !== undefined || undefined}>
        <Card isFlush>
          {audit.isPending && <Loading rows={8} />}
          {audit.isError && rows.length === 0 && (
            <Failure error={audit.error} what={words.auditNotLoaded} onRetry={() => void audit.refetch()} />
          )}
          {audit.isSuccess && (
            <List
              label={words.audit}
              rows={rows}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              openKey={entry ?? null}
              onOpen={({ id }) => set({ entry: id === entry ? undefined : id })}
              empty={<Empty title={hasFilter ? words.auditNone : words.auditEmpty}>{words.auditNote}</Empty>}
              more={
                audit.hasNextPage
                  ? { load: () => void audit.fetchNextPage(), isLoading: audit.isFetchingNextPage }
                  : null
              }
              csv={{ name: 'audit.csv', load: () => api.csv('/audit', { query: auditParameters(filter) }) }}
            />
          )}
        </Card>
        {opened && <AuditDetails entry={opened} onClose={() => set({ entry: undefined })} />}
      </div>
    </>
  );
}

function dropEmpty(search: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}
