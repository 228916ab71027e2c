import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

type Props = {
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  /** Of the call. */
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What is lost. */
  readonly children: ReactNode;
};

/** Asks before something is removed for good. */
export function DangerDialog({ title, action, error, isBusy, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={onConfirm} error={error}>
        <Callout tone="warn">{children}</Callout>
        <Button type="submit" kind="danger" isBusy={isBusy}>
          {action}
        </Button>
      </Form>
    </Dialog>
  );
}
