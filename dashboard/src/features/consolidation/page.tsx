import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole } from '../../shared/session/session.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { lookOf } from '../../shared/user/devices.ts';
import { useUserHead, useUserId } from '../../shared/user/head.ts';
import styles from './consolidation.module.css';
import { ConsolidationContext } from './context.ts';
import { type Draft, type EditedKey, listOff, readDraft, toChange } from './draft.ts';
import { pickKey } from './group-keys.ts';
import { ApplyBar } from './parts/apply-bar.tsx';
import { KeyForm } from './parts/key-form.tsx';
import { KeyList } from './parts/key-list.tsx';
import { PreviewCard } from './parts/preview-card.tsx';
import { type Editor, editorQuery, previewQuery } from './queries.ts';
import { useApplied } from './use-applied.ts';
import { words } from './words.ts';

const route = getRouteApi('/$environment/users/$userId/consolidation');

export function ConsolidationPage() {
  const user = { environment: useEnvironment(), userId: useUserId() };
  const editor = useQuery(editorQuery(user));
  const { key } = route.useSearch();
  return (
    <Loaded query={editor} what={words.notLoaded} shapes={<EditorShapes />}>
      {(loaded) => {
        const edited = pickKey(loaded.keys, key);
        return edited ? <EditorOf editor={loaded} edited={edited} /> : null;
      }}
    </Loaded>
  );
}

function EditorOf({ editor, edited }: { editor: Editor; edited: EditedKey }) {
  const environment = useEnvironment();
  const userId = useUserId();
  const head = useUserHead();
  const canEdit = useHasRole('developer');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const draft = readDraft(edited, canEdit ? search : {});
  const change = toChange(edited, draft);
  const preview = useQuery(previewQuery({ environment, userId }, edited.key, change));
  const applied = useApplied({ environment, userId });
  const context = useMemo(
    () => ({ environment, userId, editor, devices: lookOf(head.devices), head }),
    [environment, userId, editor, head],
  );

  const openKey = (key: string) => void navigate({ search: { key }, replace: true, resetScroll: false });
  const setDraft = ({ method, off }: Draft) =>
    void navigate({
      search: {
        key: edited.key,
        ...(method !== edited.method && { method }),
        ...(off.join() !== listOff(edited).join() && { off: off.join() }),
      },
      replace: true,
      resetScroll: false,
    });
  const apply = async () => {
    if (change === null || preview.data === undefined || preview.isPlaceholderData) return;
    await applied.apply(edited, change, preview.data);
    openKey(edited.key);
  };
  return (
    <ConsolidationContext value={context}>
      <div className={styles.editor} data-open={change !== null || undefined}>
        <KeyList keys={editor.keys} open={edited.key} onOpen={openKey} />
        <Card className={styles.panel}>
          <KeyForm edited={edited} draft={draft} canEdit={canEdit} onDraft={setDraft} />
        </Card>
        <Card className={styles.panel}>
          <PreviewCard
            edited={edited}
            draft={draft}
            hasDraft={change !== null}
            preview={preview}
            metric={search.metric}
            onMetric={(metric) =>
              void navigate({ search: (old) => ({ ...old, metric }), replace: true, resetScroll: false })
            }
          />
        </Card>
      </div>
      <ApplyBar
        edited={edited}
        draft={draft}
        change={change}
        isReady={preview.data !== undefined && !preview.isPlaceholderData}
        applied={applied}
        onApply={() => void apply()}
        onDiscard={() => openKey(edited.key)}
      />
    </ConsolidationContext>
  );
}

/** In the places of list, form and preview. */
function EditorShapes() {
  return (
    <div className={styles.editor}>
      <Shape height={320} radius={12} />
      <Shape height={520} radius={12} />
      <Shape height={320} radius={12} />
    </div>
  );
}
