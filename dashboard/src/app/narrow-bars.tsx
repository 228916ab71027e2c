// The bars of a narrow window: who and where at the top, the main pages at the bottom.
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { IconButton } from '../shared/ui/button.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Mark } from '../shared/ui/mark.tsx';
import { useSignOut } from './member-menu.tsx';
import styles from './narrow-bars.module.css';
import { isInBar, listGroups } from './navigation.ts';
import { openPalette } from './palette-state.ts';
import { EnvironmentSwitch, SectionLink, useSection } from './sidebar.tsx';
import { ThemeButton } from './theme-button.tsx';
import { words } from './words.ts';

export function TopBar() {
  const session = useSession();
  const environment = useEnvironment();
  return (
    <header className={styles.top}>
      <Link to="/" aria-label="Tributary, start page">
        <Mark size={24} />
      </Link>
      <span className={styles.account}>{session?.account.display_name ?? session?.account.name}</span>
      {environment === 'sandbox' && <span className={styles.sandbox}>Sandbox</span>}
      <span className={styles.tools}>
        <IconButton icon="search" label={words.search} onClick={openPalette} />
        <ThemeButton />
      </span>
    </header>
  );
}

export function BottomBar() {
  const router = useRouter();
  const section = useSection();
  const isOperator = useSession()?.member.is_operator ?? false;
  const [isOpen, setOpen] = useState(false);
  const entries = listGroups(router, isOperator).flatMap((group) => group.entries);
  const isBehindMore = entries.some((entry) => entry.section === section && !isInBar(entry));
  return (
    <nav className={styles.bottom} aria-label="Main pages">
      {entries.filter(isInBar).map((entry) => (
        <SectionLink key={entry.section} entry={entry} className={styles.entry} size={20} />
      ))}
      <button
        type="button"
        className={styles.entry}
        aria-current={isBehindMore ? 'page' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="more" size={20} />
        <span>More</span>
      </button>
      {isOpen && <MoreSheet onClose={() => setOpen(false)} />}
    </nav>
  );
}

function MoreSheet({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const session = useSession();
  const signOut = useSignOut();
  const entries = listGroups(router, session?.member.is_operator ?? false).flatMap((group) => group.entries);
  return (
    <Dialog title="More" onClose={onClose}>
      <EnvironmentSwitch />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: opening a link by key is a click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes the sheet after one of its links */}
      <div className={styles.more} onClick={onClose}>
        {entries
          .filter((entry) => !isInBar(entry))
          .map((entry) => (
            <SectionLink key={entry.section} entry={entry} className={styles.row} size={18} />
          ))}
        <button type="button" className={styles.row} onClick={() => void signOut()}>
          <Icon name="exit" size={18} />
          <span>
            Sign out <small>{session?.member.email}</small>
          </span>
        </button>
      </div>
    </Dialog>
  );
}
