import { useState } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { Count } from '../../../shared/ui/pill.tsx';
import type { EditedKey } from '../draft.ts';
import { groupKeys, type KeyGroup } from '../group-keys.ts';
import { words } from '../words.ts';
import styles from './key-list.module.css';

type Props = {
  readonly keys: readonly EditedKey[];
  readonly open: string;
  readonly onOpen: (key: string) => void;
};

/** Keys with settings, keys whose sources differ, and all others. */
export function KeyList({ keys, open, onOpen }: Props) {
  const [text, setText] = useState('');
  const groups = groupKeys(keys, text);
  return (
    <nav className={styles.list} aria-label={words.keys}>
      <Field
        label={words.find}
        isLabelHidden
        icon="search"
        type="search"
        placeholder={words.find}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {groups.length === 0 && <p className={styles.none}>{words.noMatch}</p>}
      {groups.map((group) => (
        <Group key={`${group.name} ${text !== ''}`} group={group} isSearch={text !== ''} open={open} onOpen={onOpen} />
      ))}
    </nav>
  );
}

type GroupProps = Omit<Props, 'keys'> & { readonly group: KeyGroup; readonly isSearch: boolean };

function Group({ group: { name, keys }, isSearch, open, onOpen }: GroupProps) {
  const isOpen = isSearch || name !== 'others' || keys.some(({ key }) => key === open);
  return (
    <details open={isOpen} className={styles.group}>
      <summary>
        {words.groups[name]} <Count value={keys.length} />
      </summary>
      <ul>
        {keys.map((one) => (
          <li key={one.key}>
            <button type="button" aria-current={one.key === open || undefined} onClick={() => onOpen(one.key)}>
              <span>{one.name}</span>
              <small>
                {words.methods[one.method][0]}
                {one.kind === 'group' && ` · ${one.metrics.length}`}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
