import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field, Select } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { useAddFault } from '../queries.ts';
import { FAULTS, type FaultKind, PROVIDERS, type ProviderId, words } from '../words.ts';

const KINDS = FAULTS.map(({ kind, text }) => ({ value: kind, text }));
const SLOW_MS = 5_000; // long enough to be seen, shorter than our timeouts

export function FaultDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<FaultKind>('rate_limited');
  const [provider, setProvider] = useState<ProviderId>('oura');
  const [times, setTimes] = useState('');
  const add = useAddFault();
  const submit = () => {
    const limit = times === '' ? {} : { times: Number(times) };
    const delay = kind === 'slow' ? { delay_ms: SLOW_MS } : {};
    add.mutate({ kind, provider, ...limit, ...delay }, { onSuccess: onClose });
  };
  return (
    <Dialog title={words.addFault} onClose={onClose}>
      <p>{words.faultsNote}</p>
      <Form onSubmit={submit} error={add.error} fields={['times']}>
        <Select
          label={words.fault}
          autoFocus
          options={KINDS}
          value={kind}
          onChange={(event) => setKind(event.target.value as FaultKind)}
        />
        <Select
          label={words.provider}
          options={PROVIDERS}
          value={provider}
          onChange={(event) => setProvider(event.target.value as ProviderId)}
        />
        <Field
          label={words.times}
          hint={words.timesHint}
          type="number"
          min={1}
          max={1_000}
          value={times}
          problem={problemOf(add.error, 'times')}
          onChange={(event) => setTimes(event.target.value)}
        />
        <Button type="submit" kind="first" isBusy={add.isPending}>
          {words.add}
        </Button>
      </Form>
    </Dialog>
  );
}
