// The frame of every page of an environment: sidebar, or a bar at the bottom of a narrow window, around the page.
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { addShortcut } from '../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { ConfirmationDialog } from './confirmation.tsx';
import { OfflineLine } from './connection-state.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { rememberEnvironment } from './last-environment.ts';
import { Locked } from './locked.tsx';
import { BottomBar, TopBar } from './narrow-bars.tsx';
import { listGroups } from './navigation.ts';
import { Palette } from './palette.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

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

/** `g` and a letter go to a page. */
function useNavigationKeys(): void {
  const router = useRouter();
  const environment = useEnvironment();
  const isOperator = useSession()?.member.is_operator ?? false;
  useEffect(() => {
    const removals = listGroups(router, isOperator)
      .flatMap(({ entries }) => entries)
      .map(({ key, label, section }) =>
        addShortcut({
          keys: `g ${key}`,
          words: `Go to ${label}`,
          run: () => void router.navigate({ href: router.buildLocation({ to: `/${environment}/${section}` }).href }),
        }),
      );
    return () => {
      for (const remove of removals) remove();
    };
  }, [router, environment, isOperator]);
}
