import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import type { Webhook, WebhookFields } from '../queries.ts';
import { words } from '../words.ts';
import { EventChoice } from './event-choice.tsx';

type Props = {
  readonly title: string;
  readonly go: string;
  readonly start: WebhookFields;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSave: (fields: WebhookFields) => void;
  readonly onClose: () => void;
};

const FIELDS = ['url', 'description', 'events'];

/** Address, name and events, for a new webhook and for changes. */
export function WebhookDialog({ title, go, start, isBusy, error, onSave, onClose }: Props) {
  const [url, setUrl] = useState(start.url);
  const [name, setName] = useState(start.description ?? '');
  const [events, setEvents] = useState<Webhook['events']>(start.events);
  const [isTried, setTried] = useState(false);
  const hasNone = events.length === 0;
  const save = () => {
    setTried(true);
    if (!hasNone) onSave({ url: url.trim(), events, description: name.trim() || null });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={save} error={error} fields={FIELDS}>
        <Field
          label={words.url}
          hint={words.urlHint}
          type="url"
          required
          isMono
          maxLength={2_048}
          placeholder="https://"
          value={url}
          problem={problemOf(error, 'url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label={words.description}
          hint={words.descriptionHint}
          maxLength={500}
          value={name}
          problem={problemOf(error, 'description')}
          onChange={(event) => setName(event.target.value)}
        />
        <EventChoice
          events={events}
          problem={problemOf(error, 'events') ?? (isTried && hasNone ? words.chooseEvents : null)}
          onChange={setEvents}
        />
        <Button type="submit" kind="first" isBusy={isBusy}>
          {go}
        </Button>
      </Form>
    </Dialog>
  );
}
