import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time/durations.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { recoverableQuery, useRecover, type Webhook } from '../queries.ts';
import { words } from '../words.ts';

/** Says how many deliveries it would be before it sends them. */
export function RecoverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [text, setText] = useState(() => localInput(Date.now() - DAY_MS));
  const since = Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString();
  const recoverable = useQuery(recoverableQuery(useEnvironment(), webhook.id, since));
  const recover = useRecover(webhook.id);
  if (recover.data)
    return (
      <Dialog title={words.recoverTitle} onClose={onClose} actions={<Button onClick={onClose}>{words.done}</Button>}>
        <Callout tone="good" isAnnounced>
          {words.recovered(recover.data.count)}
        </Callout>
      </Dialog>
    );
  const count = recoverable.data?.count ?? 0;
  return (
    <Dialog title={words.recoverTitle} onClose={onClose}>
      <p>{words.recoverNote}</p>
      <Form onSubmit={() => since !== null && recover.mutate(since)} error={recover.error ?? recoverable.error}>
        <Field
          label={words.since}
          type="datetime-local"
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {recoverable.isSuccess && count === 0 && <p role="status">{words.recoverNone}</p>}
        <Button type="submit" kind="first" icon="retry" isBusy={recover.isPending} disabled={count === 0}>
          {words.recoverGo(count)}
        </Button>
      </Form>
    </Dialog>
  );
}

/** The value of a `datetime-local` field, in the zone of the reader: 2026-11-15T19:04. */
function localInput(atMs: number): string {
  const at = new Date(atMs);
  return new Date(atMs - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
