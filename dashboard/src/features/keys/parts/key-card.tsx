import { useState } from 'react';
import type { ApiKey } from '../../../shared/query/keys-query.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { ago, shortDateTime } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { number } from '../../../shared/words/numbers.ts';
import { describeEnd, describeState, remainingLife } from '../describe-key.ts';
import styles from '../keys.module.css';
import { useEndKey } from '../queries.ts';
import { words } from '../words.ts';
import { RotateDialog } from './rotate-dialog.tsx';

export function KeyCard({ apiKey, canChange }: { apiKey: ApiKey; canChange: boolean }) {
  const environment = useEnvironment();
  const nowMs = useNow();
  const [open, setOpen] = useState<'rotate' | 'end' | null>(null);
  const state = describeState(apiKey, nowMs);
  const close = () => setOpen(null);
  return (
    <Card
      title={apiKey.name}
      label={words.label(apiKey.name, apiKey.last_four)}
      badge={<Pill tone={state.tone}>{state.text}</Pill>}
      actions={
        canChange && (
          <>
            <Button kind="ghost" onClick={() => setOpen('end')}>
              {words.end}
            </Button>
            {apiKey.ends_at === null && <Button onClick={() => setOpen('rotate')}>{words.rotate}</Button>}
          </>
        )
      }
    >
      <p className={styles.key}>
        sk_{environment}_<span aria-hidden="true">••••••••••••</span>
        {apiKey.last_four}
      </p>
      <div className={styles.life} data-tone={state.tone}>
        <span style={{ width: `${remainingLife(apiKey, nowMs) * 100}%` }} />
      </div>
      <Facts
        facts={[
          [apiKey.ends_at === null ? words.expires : words.stops, describeEnd(apiKey, nowMs)],
          [words.created, words.createdBy(shortDateTime(apiKey.created_at, nowMs), apiKey.created_by)],
          [words.lastUsed, describeUse(apiKey, nowMs) ?? words.never],
          [words.requests, number(apiKey.requests_24h)],
        ]}
      />
      {open === 'rotate' && <RotateDialog apiKey={apiKey} use={describeUse(apiKey, nowMs)} onClose={close} />}
      {open === 'end' && <EndDialog apiKey={apiKey} use={describeUse(apiKey, nowMs)} onClose={close} />}
    </Card>
  );
}

function describeUse({ last_used_at, last_used_agent }: ApiKey, nowMs: number): string | null {
  return last_used_at === null ? null : words.lastUsedBy(ago(last_used_at, nowMs), last_used_agent);
}

function EndDialog({ apiKey, use, onClose }: { apiKey: ApiKey; use: string | null; onClose: () => void }) {
  const end = useEndKey();
  return (
    <DangerDialog
      title={words.endTitle(apiKey.name)}
      action={words.endGo}
      error={end.error}
      isBusy={end.isPending}
      onConfirm={() => end.mutate({ id: apiKey.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {words.usedNow(apiKey.last_four, use)} {words.stopsNow} {words.endNote}
    </DangerDialog>
  );
}
