import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { describeChange } from '../../../shared/user/describe-change.ts';
import { lowerFirst } from '../../../shared/words/lower-first.ts';
import { listWords } from '../../../shared/words/numbers.ts';
import { useConsolidation } from '../context.ts';
import type { EditedKey } from '../draft.ts';
import { type Draft, toDefaults } from '../draft.ts';
import { words } from '../words.ts';
import styles from './key-form.module.css';
import { Methods } from './methods.tsx';
import { Sources } from './sources.tsx';

type Props = {
  readonly edited: EditedKey;
  readonly draft: Draft;
  readonly canEdit: boolean;
  readonly onDraft: (draft: Draft) => void;
};

/** The settings of one key: where they come from, the method, and the sources. */
export function KeyForm({ edited, draft, canEdit, onDraft }: Props) {
  const { editor } = useConsolidation();
  const offForAll = editor.providers.filter(({ enabled }) => !enabled).map(({ provider }) => provider);
  return (
    <div className={styles.form}>
      <header>
        <h2>{edited.name}</h2>
        {edited.changed && <Pill tone="accent">{words.override}</Pill>}
        {edited.changed && canEdit && (
          <Button kind="ghost" icon="undo" onClick={() => onDraft(toDefaults(edited, offForAll))}>
            {words.useDefault}
          </Button>
        )}
      </header>
      <p>{describeKey(edited)}</p>
      <p className={styles.origin}>{edited.changed ? describeChange(edited.last_change) : words.fromDefault}</p>
      {!canEdit && <Callout>{words.readOnly}</Callout>}
      <Methods edited={edited} draft={draft} canEdit={canEdit} onDraft={onDraft} />
      <Sources edited={edited} draft={draft} canEdit={canEdit} offForAll={offForAll} onDraft={onDraft} />
    </div>
  );
}

const NAMED_METRICS = 4;

function describeKey({ kind, metrics }: EditedKey): string {
  if (kind === 'metric') return words.oneMetric;
  const names = metrics.slice(0, NAMED_METRICS).map(({ name }) => lowerFirst(name));
  const text = metrics.length > NAMED_METRICS ? `${names.join(', ')}…` : listWords(names);
  return words.manyMetrics(metrics.length, text);
}
