import { useState } from 'react';
import { listShortcuts, useShortcut } from '../shared/keyboard/shortcuts.ts';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Keycap } from '../shared/ui/keycap.tsx';
import styles from './help-dialog.module.css';

/** `?` lists the keys of the page. */
export function HelpDialog() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('?', 'Show all keys', () => setOpen(true));
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <dl className={styles.keys}>
        {listShortcuts().map(({ keys, words }) => (
          <div key={keys}>
            <dt>{words}</dt>
            <dd>
              <Keycap keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
