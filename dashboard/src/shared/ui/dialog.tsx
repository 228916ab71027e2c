import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

const FIELDS = 'input, select, textarea';

type Props = {
  readonly title: string;
  /** Called for Escape, the cross and a click beside the dialog. */
  readonly onClose: () => void;
  /** False while closing would lose something, such as a key that is shown once. */
  readonly isDismissible?: boolean;
  /** Two columns. */
  readonly isWide?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A modal on the native element: it traps the focus and gives it back. Render it only while it is open. */
export function Dialog({ title, onClose, isDismissible = true, isWide = false, actions, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
    element?.querySelector<HTMLElement>(FIELDS)?.focus(); // showModal() chooses the cross, as it comes first
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key, and onCancel handles it
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (isDismissible) onClose();
      }}
      // Browsers close a dialog at the second Escape, whatever became of the first.
      onClose={() => {
        if (dialog.current === null || dialog.current.open) return;
        if (isDismissible) onClose();
        else dialog.current.showModal();
      }}
      onClick={(event) => {
        if (isDismissible && event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.sheet}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          {isDismissible && <IconButton icon="cross" label="Close" onClick={onClose} />}
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.foot}>{actions}</footer>}
      </div>
    </dialog>
  );
}
