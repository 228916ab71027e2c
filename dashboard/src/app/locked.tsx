import { useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { sessionQuery, useSession } from '../shared/session/session.ts';
import { Button } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Shape } from '../shared/ui/states.tsx';
import { isLocked, onLockChange, unlock, watchActivity } from './idle.ts';
import styles from './locked.module.css';
import { useSignOut } from './member-menu.tsx';
import { words } from './words.ts';

const PasswordForm = lazyRouteComponent(() => import('./password-form.tsx'), 'PasswordForm');

/** The page, or after 15 idle minutes its shape until the password is entered. Loaded data is removed. */
export function Locked({ children }: { children: ReactNode }) {
  const isOn = useSyncExternalStore(onLockChange, isLocked);
  const session = useSession();
  const queries = useQueryClient();
  const signOut = useSignOut();
  useEffect(watchActivity, []);
  useEffect(() => {
    if (isOn) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  }, [isOn, queries]);
  if (!isOn) return children;
  return (
    <>
      <div className={styles.shape} aria-hidden="true">
        <Shape width={180} height={30} />
        <Card>
          <Shape height={180} />
        </Card>
        <Card>
          <Shape height={120} />
        </Card>
      </div>
      <Dialog title={words.locked} onClose={() => undefined} isDismissible={false}>
        <p>{words.lockedNote(session?.member.name ?? '')}</p>
        <Suspense>
          <PasswordForm action={words.unlock} onConfirmed={unlock} />
        </Suspense>
        <Button kind="ghost" onClick={() => void signOut().then(unlock)}>
          {words.signOut}
        </Button>
      </Dialog>
    </>
  );
}
