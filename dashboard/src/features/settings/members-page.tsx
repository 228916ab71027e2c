import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { ago, until } from '../../shared/time/format-time.ts';
import { useNow } from '../../shared/time/use-now.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Icon } from '../../shared/ui/icon.tsx';
import { type Column, List } from '../../shared/ui/list.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { Pill } from '../../shared/ui/pill.tsx';
import { InviteDialog } from './parts/invite-dialog.tsx';
import { type MemberAction, MemberDialog } from './parts/member-dialog.tsx';
import { type Invitation, type Member, type Team, teamQuery, useChange } from './queries.ts';
import styles from './settings.module.css';
import { words } from './words.ts';

type Row =
  | { readonly kind: 'member'; readonly member: Member }
  | { readonly kind: 'invitation'; readonly invitation: Invitation };

export function MembersPage() {
  const team = useQuery(teamQuery);
  const canChange = useHasRole('owner');
  const [isInviting, setInviting] = useState(false);
  const [opened, setOpened] = useState<{ action: MemberAction; member: Member } | null>(null);
  const columns = useColumns(canChange, (action, member) => setOpened({ action, member }));
  return (
    <Card
      title={words.members}
      isFlush
      actions={
        canChange && (
          <Button icon="plus" kind="first" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <Loaded query={team} what={words.membersNotLoaded}>
        {(data) => (
          <List
            label={words.members}
            rows={toRows(data)}
            columns={columns}
            keyOf={keyOf}
            csv={{ name: 'members.csv' }}
          />
        )}
      </Loaded>
      <p className={styles.roles}>{words.rolesNote}</p>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {opened && <MemberDialog {...opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function toRows({ members, invitations }: Team): Row[] {
  return [
    ...members.map((member) => ({ kind: 'member', member }) as const),
    ...invitations.map((invitation) => ({ kind: 'invitation', invitation }) as const),
  ];
}

function keyOf(row: Row): string {
  return row.kind === 'member' ? row.member.id : row.invitation.id;
}

function useColumns(canChange: boolean, open: (action: MemberAction, member: Member) => void): readonly Column<Row>[] {
  const nowMs = useNow();
  const ownId = useSession()?.member.id;
  const revoke = useChange((id: string) => api.delete(`/members/invitations/${id}`), teamQuery.queryKey);
  const personOf = (row: Row) => (row.kind === 'member' ? row.member : row.invitation);
  const columns: Column<Row>[] = [
    {
      name: words.name,
      narrow: 'first',
      csv: (row) => (row.kind === 'member' ? row.member.name : ''),
      cell: (row) => (
        <div className={styles.person}>
          <b>{row.kind === 'member' ? row.member.name : row.invitation.email}</b>
          {row.kind === 'member' && <small>{row.member.email}</small>}
        </div>
      ),
    },
    {
      name: words.role,
      narrow: 'first',
      csv: (row) => personOf(row).role,
      cell: (row) => words.roles[personOf(row).role],
    },
    {
      name: words.state,
      csv: (row) => (row.kind === 'member' ? 'member' : 'invited'),
      cell: (row) =>
        row.kind === 'invitation' ? (
          <Pill icon="mail">{words.invitedUntil(until(row.invitation.expires_at, nowMs))}</Pill>
        ) : row.member.has_totp ? (
          <Pill tone="good">{words.hasTotp}</Pill>
        ) : (
          <Pill>{words.passwordOnly}</Pill>
        ),
    },
    {
      name: words.lastSeen,
      csv: (row) => (row.kind === 'member' ? row.member.last_seen_at : null),
      cell: (row) =>
        row.kind === 'member' && row.member.last_seen_at !== null ? ago(row.member.last_seen_at, nowMs) : words.never,
    },
  ];
  if (!canChange) return columns;
  const actions: Column<Row> = {
    name: words.actions,
    isNameHidden: true,
    isNumber: true,
    narrow: 'first',
    cell: (row) =>
      row.kind === 'invitation' ? (
        <Button kind="ghost" isBusy={revoke.isPending} onClick={() => revoke.mutate(row.invitation.id)}>
          {words.revoke}
        </Button>
      ) : (
        <Menu face={<Icon name="more" size={18} />} label={words.actionsOf(row.member.name)} className={styles.menu}>
          <button type="button" onClick={() => open('role', row.member)}>
            {words.changeRole}
          </button>
          <button type="button" onClick={() => open('reset', row.member)}>
            {words.resetPassword}
          </button>
          <button type="button" onClick={() => open('remove', row.member)}>
            {row.member.id === ownId ? words.leave : words.remove}
          </button>
        </Menu>
      ),
  };
  return [...columns, actions];
}
