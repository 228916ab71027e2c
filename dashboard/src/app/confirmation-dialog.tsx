import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { Dialog } from '../shared/ui/dialog.tsx';
import { answerConfirmation, isConfirmationOpen, onConfirmationChange } from './confirmation.ts';
import { words } from './words.ts';

const PasswordForm = lazyRouteComponent(() => import('./password-form.tsx'), 'PasswordForm');

/** Opens when a call answers that it needs the password again; the call is then repeated. */
export function ConfirmationDialog() {
  const isOpen = useSyncExternalStore(onConfirmationChange, isConfirmationOpen);
  if (!isOpen) return null;
  return (
    <Dialog title={words.confirm} onClose={() => answerConfirmation(false)}>
      <p>{words.confirmNote}</p>
      <Suspense>
        <PasswordForm action={words.confirmGo} onConfirmed={() => answerConfirmation(true)} />
      </Suspense>
    </Dialog>
  );
}
