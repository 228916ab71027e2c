// The frame of every page of an environment: sidebar, or a bar at the bottom of a narrow window, around the page.
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { ConfirmationDialog } from './confirmation-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { rememberEnvironment } from './last-environment.ts';
import { Locked } from './locked.tsx';
import { BottomBar, TopBar } from './narrow-bars.tsx';
import { OfflineLine } from './offline-line.tsx';
import { Palette } from './palette.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useNavigationKeys } from './use-navigation-keys.ts';

export function Shell() {
  const environment = useEnvironment();
  const isKnown = useSession() !== undefined;
  useEffect(() => rememberEnvironment(environment), [environment]);
  useNavigationKeys();
  const main = useFocusOnNewPage();
  return (
    <div className={styles.frame} data-environment={environment} data-pending={isKnown ? undefined : true}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <div className={styles.band} aria-hidden="true" />
      <Sidebar />
      <TopBar />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        <OfflineLine />
        <Locked>
          {/* The other environment begins anew, without a key or a selection of this one. */}
          <Outlet key={environment} />
        </Locked>
      </main>
      <BottomBar />
      <Palette />
      <HelpDialog />
      <ConfirmationDialog />
    </div>
  );
}

/** A new page begins at its top for those who navigate by keyboard or hear it. Renders nothing again. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && document.activeElement !== main.current)
          main.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return main;
}
