import { useSyncExternalStore } from 'react';
import { Dialog } from '../shared/ui/dialog.tsx';
import { answerConfirmation, isConfirmationOpen, onConfirmationChange } from './confirmation.ts';
import { PasswordForm } from './password-form.tsx';
import { words } from './words.ts';

/** Opens when a call answers that it needs the password again; the call is then repeated. */
export function ConfirmationDialog() {
  const isOpen = useSyncExternalStore(onConfirmationChange, isConfirmationOpen);
  if (!isOpen) return null;
  return (
    <Dialog title={words.confirm} onClose={() => answerConfirmation(false)}>
      <p>{words.confirmNote}</p>
      <PasswordForm action={words.confirmGo} onConfirmed={() => answerConfirmation(true)} />
    </Dialog>
  );
}
