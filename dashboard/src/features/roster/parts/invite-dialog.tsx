import { type ChangeEvent, useDeferredValue, useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { type NewInvitation, useInvite } from '../queries.ts';
import styles from '../roster.module.css';
import { words } from '../words.ts';
import { MailPreview } from './mail-preview.tsx';

const FIELDS = ['email', 'name', 'external_ref', 'message'] as const;
const NOTHING = { email: '', name: '', external_ref: '', message: '' };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState(NOTHING);
  const shown = useDeferredValue(typed);
  const invite = useInvite();
  const messageId = useId();
  const change = (name: (typeof FIELDS)[number]) => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setTyped((before) => ({ ...before, [name]: event.target.value }));
  const again = () => {
    setTyped(NOTHING);
    invite.reset();
  };
  if (invite.data)
    return (
      <Dialog
        title={words.inviteTitle}
        onClose={onClose}
        actions={
          <>
            <Button onClick={again}>{words.another}</Button>
            <Button kind="first" onClick={onClose}>
              {words.done}
            </Button>
          </>
        }
      >
        <Callout tone="good" isAnnounced>
          {words.sent(invite.data.email)}
        </Callout>
      </Dialog>
    );
  const problem = (name: (typeof FIELDS)[number]) => problemOf(invite.error, name);
  return (
    <Dialog title={words.inviteTitle} onClose={onClose} isWide>
      <div className={styles.columns}>
        <Form onSubmit={() => invite.mutate(toInvitation(typed))} error={invite.error} fields={FIELDS}>
          <Field
            label={words.email}
            type="email"
            required
            autoFocus
            maxLength={254}
            value={typed.email}
            problem={problem('email')}
            onChange={change('email')}
          />
          <Field
            label={words.name}
            hint={words.nameHint}
            maxLength={200}
            value={typed.name}
            problem={problem('name')}
            onChange={change('name')}
          />
          <Field
            label={words.reference}
            hint={words.referenceHint}
            maxLength={255}
            value={typed.external_ref}
            problem={problem('external_ref')}
            onChange={change('external_ref')}
          />
          <div className={styles.message}>
            <label htmlFor={messageId}>{words.message}</label>
            <textarea
              id={messageId}
              rows={4}
              maxLength={2_000}
              value={typed.message}
              aria-describedby={`${messageId}-note`}
              onChange={change('message')}
            />
            <small id={`${messageId}-note`}>{problem('message') ?? words.messageHint}</small>
          </div>
          <Button type="submit" kind="first" icon="send" isBusy={invite.isPending}>
            {words.send}
          </Button>
        </Form>
        <MailPreview email={shown.email} name={shown.name.trim()} message={shown.message.trim()} />
      </div>
    </Dialog>
  );
}

function toInvitation({ email, name, external_ref, message }: typeof NOTHING): NewInvitation {
  const given = { name: name.trim(), external_ref: external_ref.trim(), message: message.trim() };
  return { email: email.trim(), ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) };
}
