import { useState } from 'react';
import { EVENT_TYPES, type EventType, eventWords } from '../../../shared/event/event-types.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { useSendTest, type Webhook } from '../queries.ts';
import { words } from '../words.ts';

type Props = { readonly webhook: Webhook; readonly onSent: (deliveryId: string) => void; readonly onClose: () => void };

export function TestDialog({ webhook, onSent, onClose }: Props) {
  const types = EVENT_TYPES.filter((type) => webhook.events.includes('*') || webhook.events.includes(type));
  const [type, setType] = useState<EventType>(types[0] ?? 'data.updated');
  const send = useSendTest(webhook.id);
  return (
    <Dialog title={words.testTitle} onClose={onClose}>
      <p>{words.testNote}</p>
      <Form onSubmit={() => send.mutate(type, { onSuccess: ({ data }) => onSent(data.id) })} error={send.error}>
        <Select
          label={words.event}
          options={types.map((value) => ({ value, text: `${value}: ${eventWords(value)}` }))}
          value={type}
          onChange={(event) => setType(types.find((one) => one === event.target.value) ?? type)}
        />
        <Button type="submit" kind="first" icon="send" isBusy={send.isPending}>
          {words.testGo}
        </Button>
      </Form>
    </Dialog>
  );
}
