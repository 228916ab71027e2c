import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty, Failure, Loading } from '../../shared/ui/states.tsx';
import { Chips } from '../../shared/ui/tabs.tsx';
import { InviteDialog } from './parts/invite-dialog.tsx';
import { RosterList } from './parts/roster-list.tsx';
import { invitationsQuery, membersQuery } from './queries.ts';
import styles from './roster.module.css';
import { filterRows, type Row, toRows } from './roster-rows.ts';
import { VIEWS, type View } from './view.ts';
import { words } from './words.ts';

export function RosterPage() {
  return useEnvironment() === 'live' ? <Roster /> : <OnlyLive />;
}

function Roster() {
  const { view = 'all', invite: isInviting } = useSearch({ from: '/$environment/roster' });
  const navigate = useNavigate({ from: '/$environment/roster' });
  const session = useSession();
  const canChange = useHasRole('developer');
  const roster = useRoster();
  const show = (search: { view?: View; invite?: true }) => void navigate({ search });
  const current = view === 'all' ? {} : { view };
  const invite = (
    <Button icon="mail" kind="first" onClick={() => show({ ...current, invite: true })}>
      {words.invite}
    </Button>
  );
  return (
    <Page title={words.title} note={words.note} actions={canChange && invite} isRefreshing={roster.isRefetching}>
      {session && !canChange && <p className={styles.note}>{words.viewersCannot}</p>}
      {roster.rows !== null && roster.rows.length > 0 && (
        <Chips
          label={words.filter}
          value={view}
          onChange={(value) => show(value === 'all' ? {} : { view: value })}
          choices={VIEWS.map((value) => ({
            value,
            text: words.views[value],
            ...(roster.more === null && { count: filterRows(roster.rows ?? [], value).length }),
          }))}
        />
      )}
      <Card isFlush>
        {roster.rows !== null ? (
          <RosterList
            rows={filterRows(roster.rows, view)}
            canChange={canChange}
            more={roster.more}
            empty={<EmptyRoster isFiltered={roster.rows.length > 0} invite={canChange && invite} />}
          />
        ) : roster.error ? (
          <Failure error={roster.error} what={words.notLoaded} onRetry={roster.retry} />
        ) : (
          <div className={styles.loading}>
            <Loading rows={6} />
          </div>
        )}
      </Card>
      {isInviting && canChange && <InviteDialog onClose={() => show(current)} />}
    </Page>
  );
}

type RosterState = {
  /** Null until everything of the first page has been read. */
  readonly rows: readonly Row[] | null;
  readonly error: unknown;
  readonly isRefetching: boolean;
  readonly more: { readonly load: () => void; readonly isLoading: boolean } | null;
  readonly retry: () => void;
};

/** Invitations and members come from three lists, which are read at the same time. */
function useRoster(): RosterState {
  const invitations = useInfiniteQuery(invitationsQuery);
  const active = useInfiniteQuery(membersQuery('active'));
  const archived = useInfiniteQuery(membersQuery('archived'));
  const all = [invitations, active, archived];
  const isComplete = invitations.data !== undefined && active.data !== undefined && archived.data !== undefined;
  const members = [active, archived].flatMap(({ data }) => data?.pages.flatMap((page) => page.data) ?? []);
  const open = all.filter(({ hasNextPage }) => hasNextPage);
  return {
    rows: isComplete ? toRows(invitations.data?.pages.flatMap((page) => page.data) ?? [], members) : null,
    error: all.find(({ error }) => error)?.error ?? null,
    isRefetching: all.some(({ isRefetching }) => isRefetching),
    more:
      open.length === 0
        ? null
        : {
            load: () => open.forEach((query) => void query.fetchNextPage()),
            isLoading: open.some(({ isFetchingNextPage }) => isFetchingNextPage),
          },
    retry: () => all.filter(({ isError }) => isError).forEach((query) => void query.refetch()),
  };
}

function EmptyRoster({ isFiltered, invite }: { isFiltered: boolean; invite: React.ReactNode }) {
  if (isFiltered) return <Empty title={words.noneInView} />;
  return (
    <Empty title={words.emptyTitle} action={invite}>
      {words.empty}
    </Empty>
  );
}

function OnlyLive() {
  return (
    <Page title={words.title}>
      <Card>
        <Empty
          title={words.liveOnly}
          action={
            <Link to="/$environment/roster" params={{ environment: 'live' }} search={{}} className={buttonClass()}>
              {words.toLive}
            </Link>
          }
        >
          {words.liveAdvice}
        </Empty>
      </Card>
    </Page>
  );
}
