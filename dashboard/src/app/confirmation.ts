// A call that needs the password again waits here until the dialog has it. Calls that wait together share one dialog.

type Request = { readonly promise: Promise<boolean>; readonly resolve: (isConfirmed: boolean) => void };

let open: Request | null = null;
const listeners = new Set<() => void>();

export function askForConfirmation(): Promise<boolean> {
  if (open === null) change(Promise.withResolvers<boolean>());
  return open?.promise ?? Promise.resolve(false);
}

export function answerConfirmation(isConfirmed: boolean): void {
  open?.resolve(isConfirmed);
  change(null);
}

export function isConfirmationOpen(): boolean {
  return open !== null;
}

export function onConfirmationChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(request: Request | null): void {
  open = request;
  for (const listener of listeners) listener();
}
