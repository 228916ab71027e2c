import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { SearchField } from '../../shared/ui/search-field.tsx';
import { Empty, Failure, Loading } from '../../shared/ui/states.tsx';
import { Chips } from '../../shared/ui/tabs.tsx';
import styles from './page.module.css';
import { NewUserDialog } from './parts/new-user-dialog.tsx';
import { NoUsers } from './parts/no-users.tsx';
import { UsersList } from './parts/users-list.tsx';
import { directoryQuery } from './queries.ts';
import { FILTERS, type UsersSearch } from './search.ts';
import { countText, words } from './words.ts';

export function UsersPage() {
  const environment = useEnvironment();
  const search = useSearch({ strict: false }) as UsersSearch;
  const directory = useInfiniteQuery(directoryQuery(environment, search));
  const change = useChange(search);
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useHasRole('developer');
  useShortcut('n', words.newUser, () => setCreating(true), mayCreate);
  const pages = directory.data?.pages ?? [];
  const first = pages[0];
  const users = pages.flatMap((page) => page.users);
  const isEmpty = first?.total === 0;
  const hasSearch = search.q !== undefined || search.filter !== undefined;
  const sentinel = useNextPage(directory.hasNextPage && !directory.isFetching, () => void directory.fetchNextPage());
  return (
    <Page
      title={words.title}
      note={first && words.note(first.total, environment)}
      actions={
        mayCreate && (
          <Button kind="first" icon="plus" onClick={() => setCreating(true)}>
            {words.newUser}
          </Button>
        )
      }
      isRefreshing={directory.isRefetching || directory.isPlaceholderData}
    >
      {!isEmpty && <Toolbar search={search} counts={first?.counts} onChange={change} />}
      <Card isFlush>
        {directory.isError && first === undefined ? (
          <Failure error={directory.error} what={words.notLoaded} onRetry={() => void directory.refetch()} />
        ) : first === undefined ? (
          <Loading rows={8} />
        ) : isEmpty ? (
          <NoUsers onCreate={mayCreate ? () => setCreating(true) : null} />
        ) : users.length === 0 && !directory.hasNextPage ? (
          <Empty title={words.nobody} action={hasSearch && <Button onClick={() => change({})}>{words.showAll}</Button>}>
            {words.nobodyNote}
          </Empty>
        ) : (
          <UsersList
            users={users}
            coverage={first.coverage}
            more={
              directory.hasNextPage
                ? { load: () => void directory.fetchNextPage(), isLoading: directory.isFetchingNextPage }
                : null
            }
          />
        )}
        <span ref={sentinel} />
      </Card>
      {search.q !== undefined && search.filter === undefined && first?.has_more && (
        <p className={styles.more}>{words.more}</p>
      )}
      {isCreating && <NewUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

type ToolbarProps = {
  readonly search: UsersSearch;
  readonly counts: { readonly attention: number; readonly overrides: number } | undefined;
  readonly onChange: (search: UsersSearch) => void;
};

function Toolbar({ search, counts, onChange }: ToolbarProps) {
  const countOf = (filter: string) => (filter === 'attention' || filter === 'overrides' ? counts?.[filter] : undefined);
  return (
    <div className={styles.toolbar}>
      <div className={styles.search}>
        <SearchField
          label={words.search}
          value={search.q ?? ''}
          maxLength={100}
          onChange={(q) => onChange({ ...search, q })}
        />
      </div>
      <Chips
        label={words.filters}
        value={search.filter ?? 'all'}
        onChange={(filter) => {
          const { filter: _, ...rest } = search;
          onChange(filter === 'all' ? rest : { ...rest, filter });
        }}
        choices={[
          { value: 'all', text: words.all },
          ...FILTERS.map((filter) => {
            const count = countOf(filter);
            const text = words.filter[filter];
            return count === undefined || count === 0
              ? { value: filter, text }
              : {
                  value: filter,
                  text: count >= 100 ? `${text} ${countText(count)}` : text,
                  ...(count < 100 && { count }),
                };
          }),
        ]}
      />
    </div>
  );
}

/** The search and the filter are in the address; typing does not fill the history. */
function useChange(search: UsersSearch) {
  const navigate = useNavigate();
  return (next: UsersSearch) =>
    void navigate({
      to: '.' as '/',
      search: { ...(next.q ? { q: next.q } : {}), ...(next.filter ? { filter: next.filter } : {}) } as never,
      replace: next.filter === search.filter,
      resetScroll: false,
    });
}

/** Loads the next page when the end of the list comes near. */
function useNextPage(canLoad: boolean, load: () => void): RefObject<HTMLSpanElement | null> {
  const sentinel = useRef<HTMLSpanElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!canLoad || sentinel.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: '600px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [canLoad]);
  return sentinel;
}
