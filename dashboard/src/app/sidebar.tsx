import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { Icon } from '../shared/ui/icon.tsx';
import { joinClasses } from '../shared/ui/join-classes.ts';
import { Keycap } from '../shared/ui/keycap.tsx';
import { Mark } from '../shared/ui/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import { MemberMenu } from './member-menu.tsx';
import { listGroups, type NavigationEntry } from './navigation.ts';
import { openPalette } from './palette-state.ts';
import styles from './sidebar.module.css';
import { ThemeButton } from './theme-button.tsx';
import { words } from './words.ts';

export function Sidebar() {
  const router = useRouter();
  const isOperator = useSession()?.member.is_operator ?? false;
  return (
    <nav className={styles.side} aria-label="Main">
      <Link to="/" className={styles.brand}>
        <Mark />
        Tributary
      </Link>
      <AccountMenu />
      <button type="button" className={styles.search} onClick={openPalette}>
        <Icon name="search" size={15} />
        <span>{words.search}</span>
        <Keycap keys="mod+k" />
      </button>
      <EnvironmentSwitch />
      {listGroups(router, isOperator).map(({ title, entries }) => (
        <div key={title} className={styles.group}>
          {title && <p>{title}</p>}
          {entries.map((entry) => (
            <SectionLink key={entry.section} entry={entry} className={styles.entry} size={17} />
          ))}
        </div>
      ))}
      <div className={styles.foot}>
        <ConnectionState />
        <ThemeButton />
        <MemberMenu />
      </div>
    </nav>
  );
}

export function SectionLink({
  entry,
  className,
  size,
}: {
  entry: NavigationEntry;
  className: string | undefined;
  size: number;
}) {
  const environment = useEnvironment();
  const isOpen = useSection() === entry.section;
  return (
    <Link
      to={`/${environment}/${entry.section}` as string}
      className={className}
      aria-current={isOpen ? 'page' : undefined}
    >
      <Icon name={entry.icon} size={size} />
      <span>{entry.label}</span>
    </Link>
  );
}

/** Another environment has other users and webhooks, so the switch leads to the section and not to the same object. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const section = useSection();
  return (
    <div className={styles.environments}>
      {(['live', 'sandbox'] as const).map((name) => (
        <Link
          key={name}
          to={`/${name}/${section}` as string}
          className={joinClasses(name === environment && styles.chosen)}
          aria-current={name === environment ? 'true' : undefined}
          data-environment={name}
        >
          {name === 'live' ? 'Live' : 'Sandbox'}
        </Link>
      ))}
    </div>
  );
}

/** The first part of the address after the environment. */
export function useSection(): string {
  return useRouterState({ select: ({ location }) => location.pathname.split('/')[2] ?? '' });
}
