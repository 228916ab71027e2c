// A call that needs the password again waits here until the dialog has it. Calls that wait together share one dialog.
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { Dialog } from '../shared/ui/dialog.tsx';
import { words } from './words.ts';

type Request = { readonly promise: Promise<boolean>; readonly resolve: (isConfirmed: boolean) => void };

const PasswordForm = lazyRouteComponent(() => import('./password-form.tsx'), 'PasswordForm');

let open: Request | null = null;
const listeners = new Set<() => void>();

export function askForConfirmation(): Promise<boolean> {
  if (open === null) change(Promise.withResolvers<boolean>());
  return open?.promise ?? Promise.resolve(false);
}

function answerConfirmation(isConfirmed: boolean): void {
  open?.resolve(isConfirmed);
  change(null);
}

function isConfirmationOpen(): boolean {
  return open !== null;
}

function onConfirmationChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(request: Request | null): void {
  open = request;
  for (const listener of listeners) listener();
}

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
