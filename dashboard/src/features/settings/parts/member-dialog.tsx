import { useState } from 'react';
import { api } from '../../../api/client.ts';
import type { Role } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { type Member, teamQuery, useChange } from '../queries.ts';
import { roleOptions, words } from '../words.ts';

export type MemberAction = 'role' | 'reset' | 'remove';

type Props = { readonly member: Member; readonly onClose: () => void };

export function MemberDialog({ action, ...props }: Props & { action: MemberAction }) {
  if (action === 'role') return <RoleDialog {...props} />;
  return action === 'reset' ? <ResetDialog {...props} /> : <RemoveDialog {...props} />;
}

function RoleDialog({ member, onClose }: Props) {
  const [role, setRole] = useState<Role>(member.role);
  const change = useChange((next: Role) => api.patch(`/members/${member.id}`, { role: next }), teamQuery.queryKey);
  return (
    <Dialog title={words.roleTitle(member.name)} onClose={onClose}>
      <Form onSubmit={() => change.mutate(role, { onSuccess: onClose })} error={change.error}>
        <Select
          label={words.role}
          hint={words.roleHints[role]}
          options={roleOptions}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        />
        <p>{words.roleNote}</p>
        <Button type="submit" kind="first" disabled={role === member.role} isBusy={change.isPending}>
          {words.save}
        </Button>
      </Form>
    </Dialog>
  );
}

function ResetDialog({ member, onClose }: Props) {
  const reset = useChange(() => api.post<{ readonly url?: string | null } | null>(`/members/${member.id}/reset`));
  const link = reset.data?.url;
  return (
    <Dialog title={words.resetTitle(member.name)} onClose={onClose}>
      {reset.isSuccess ? (
        <>
          <Callout tone="good" isAnnounced>
            {link ? words.resetByLink(member.name) : words.resetByMail(member.email)}
          </Callout>
          {link && <Code value={link} label={words.resetLink} />}
        </>
      ) : (
        <Form onSubmit={() => reset.mutate(undefined)} error={reset.error}>
          <p>{words.resetNote}</p>
          <Button type="submit" kind="first" isBusy={reset.isPending}>
            {words.resetGo}
          </Button>
        </Form>
      )}
    </Dialog>
  );
}

function RemoveDialog({ member, onClose }: Props) {
  const remove = useChange(() => api.delete(`/members/${member.id}`), teamQuery.queryKey);
  return (
    <DangerDialog
      title={words.removeTitle(member.name)}
      action={words.remove}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {words.removeNote(member.name)}
    </DangerDialog>
  );
}
