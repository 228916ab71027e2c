import { useState } from 'react';
import { api } from '../../../api/client.ts';
import type { Replies } from '../../../api/types.gen.ts';
import type { Role } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field, Select } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { teamQuery, useChange } from '../queries.ts';
import { roleOptions, words } from '../words.ts';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const invite = useChange(
    (body: { email: string; role: Role }) => api.post<Replies['inviteMember']>('/members', body),
    teamQuery.queryKey,
  );
  const sent = invite.data;
  return (
    <Dialog title={words.invite} onClose={onClose} actions={sent && <Button onClick={onClose}>{words.done}</Button>}>
      {sent ? (
        <>
          <Callout tone="good" isAnnounced>
            {sent.url ? words.invitedByLink(sent.email) : words.invitedByMail(sent.email)}
          </Callout>
          {sent.url && <Code value={sent.url} label={words.invitationLink} />}
        </>
      ) : (
        <Form onSubmit={() => invite.mutate({ email, role })} error={invite.error} fields={['email', 'role']}>
          <Field
            label={words.email}
            type="email"
            required
            autoFocus
            value={email}
            problem={problemOf(invite.error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Select
            label={words.role}
            hint={words.roleHints[role]}
            options={roleOptions}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          />
          <Button type="submit" kind="first" isBusy={invite.isPending}>
            {words.sendInvitation}
          </Button>
        </Form>
      )}
    </Dialog>
  );
}
