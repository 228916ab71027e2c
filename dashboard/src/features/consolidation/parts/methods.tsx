import type { Method } from '../../../shared/words/methods.ts';
import type { Draft, EditedKey } from '../draft.ts';
import { words } from '../words.ts';
import styles from './methods.module.css';
import { Sketch } from './sketch.tsx';

const ORDER: readonly Method[] = ['merge', 'priority', 'max', 'avg', 'sum'];

type Props = {
  readonly edited: EditedKey;
  readonly draft: Draft;
  readonly canEdit: boolean;
  readonly onDraft: (draft: Draft) => void;
};

/** Every allowed method as a card, with one plain sentence and a sketch. */
export function Methods({ edited, draft, canEdit, onDraft }: Props) {
  const allowed = ORDER.filter((method) => edited.allowed_methods.includes(method));
  return (
    <fieldset className={styles.methods} disabled={!canEdit}>
      <legend>{words.method}</legend>
      {allowed.map((method) => {
        const [name, sentence] = words.methods[method];
        return (
          <label key={method} className={styles.method}>
            <input
              type="radio"
              name={`method of ${edited.key}`}
              checked={method === draft.method}
              onChange={() => onDraft({ ...draft, method })}
            />
            <Sketch method={method} />
            <span>
              <b>{name}</b>
              {method === edited.default_method && <small className={styles.mark}>{words.isDefault}</small>}
              {method === edited.method && <small className={styles.inForce}>{words.inForce}</small>}
              <span className={styles.sentence}>{sentence}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
