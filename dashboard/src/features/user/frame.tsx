import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { ago, clock } from '../../shared/time/format-time.ts';
import { Copy } from '../../shared/ui/copy.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Count, Pill } from '../../shared/ui/pill.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { type UserHead, userHeadQuery, useUserId } from '../../shared/user/head.ts';
import styles from './frame.module.css';
import { TABS, type Tab, words } from './words.ts';

/** The head of a user with tabs; a tab is a child route. */
export function UserFrame() {
  const userId = useUserId();
  const head = useQuery(userHeadQuery(useEnvironment(), userId));
  return (
    <Page
      title={head.data?.user.reference_id ?? (head.isError ? words.users : ' ')}
      crumbs={<UsersLink />}
      note={head.data ? <Facts head={head.data} /> : <Shape width={320} />}
      isRefreshing={head.isRefetching}
    >
      <Loaded query={head} what={words.notLoaded}>
        {(loaded) => (
          <>
            <UserTabs head={loaded} />
            {/* Another user begins anew: an undo or a search of the one before must not apply to this one. */}
            <Outlet key={userId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function UsersLink() {
  return <Link to={`/${useEnvironment()}/users` as '/'}>{words.users}</Link>;
}

function Facts({ head: { user } }: { head: UserHead }) {
  return (
    <div className={styles.facts}>
      <span className={styles.id}>
        <code title={user.id}>{`${user.id.slice(0, 8)}…${user.id.slice(-4)}`}</code>
        <Copy text={user.id} what={words.copyId} />
      </span>
      <span>
        {user.timezone}, {words.there(clock(Date.now(), user.timezone))}
      </span>
      <span>{user.last_sync_at === null ? words.noData : words.lastData(ago(user.last_sync_at))}</span>
      {Object.entries(user.metadata).map(([key, value]) => (
        <Pill key={key}>{`${key} ${value}`}</Pill>
      ))}
    </div>
  );
}

function UserTabs({ head }: { head: UserHead }) {
  const router = useRouter();
  const base = `/${useEnvironment()}/users/${useUserId()}`;
  const open = useLocation({
    select: ({ pathname }) => TABS.find(({ section }) => pathname.startsWith(`${base}/${section}`))?.section,
  });
  const tabs = TABS.filter(({ section }) => hasPage(router.routesByPath, section));
  return (
    <Tabs label={words.tabs}>
      {tabs.map((tab, index) => (
        <Link
          key={tab.section}
          to={`${base}/${tab.section}` as '/'}
          aria-current={tab.section === open ? 'page' : undefined}
        >
          {tab.label}
          <TabCount head={head} section={tab.section} />
          <TabKey position={index + 1} to={`${base}/${tab.section}`} label={tab.label} />
        </Link>
      ))}
    </Tabs>
  );
}

function hasPage(paths: object, section: string): boolean {
  const prefix = `/$environment/users/$userId/${section}`;
  return Object.keys(paths).some((path) => path === prefix || path.startsWith(`${prefix}/`));
}

function TabCount({ head, section }: { head: UserHead; section: Tab['section'] }) {
  const troubled = head.devices.filter(({ problem }) => problem !== null).length;
  if (section === 'consolidation' && head.overrides > 0)
    return <Count value={head.overrides} label={words.overrides} />;
  if (section === 'connections' && troubled > 0) return <Count value={troubled} label={words.troubled} tone="bad" />;
  return null;
}

/** Registers the number of a tab as its key. */
function TabKey({ position, to, label }: { position: number; to: string; label: string }) {
  const router = useRouter();
  useShortcut(String(position), words.goTo(label), () => void router.navigate({ to: to as '/' }));
  return null;
}
