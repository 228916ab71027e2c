import { type ReactNode, useState } from 'react';
import { useNow } from '../../../shared/time/use-now.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { Pill, type Tone } from '../../../shared/ui/pill.tsx';
import { useRemoveMember, useRevoke, useSetStatus } from '../queries.ts';
import styles from '../roster.module.css';
import type { Row } from '../roster-rows.ts';
import { words } from '../words.ts';

const TONES: Readonly<Record<Row['state'], Tone>> = {
  pending: 'accent',
  active: 'good',
  archived: 'plain',
  expired: 'plain',
  revoked: 'plain',
};

type Props = {
  readonly rows: readonly Row[];
  readonly canChange: boolean;
  readonly more: { readonly load: () => void; readonly isLoading: boolean } | null;
  readonly empty: ReactNode;
};

export function RosterList({ rows, canChange, more, empty }: Props) {
  const nowMs = useNow();
  const [removing, setRemoving] = useState<Row | null>(null);
  const columns: Column<Row>[] = [
    {
      name: words.person,
      narrow: 'first',
      csv: ({ email }) => email,
      cell: ({ name, email }) => (
        <div className={styles.person}>
          <b>{name ?? email}</b>
          {name !== null && <small>{email}</small>}
        </div>
      ),
    },
    {
      name: words.reference,
      narrow: 'none',
      csv: ({ reference }) => reference,
      cell: ({ reference, userId }) =>
        userId === null ? (
          reference
        ) : (
          <a className={styles.link} href={`/dashboard/live/users/${userId}`}>
            {reference}
          </a>
        ),
    },
    {
      name: words.state,
      csv: ({ state }) => state,
      cell: (row) => (
        <Pill tone={TONES[row.state]} {...(row.state === 'pending' && { icon: 'mail' as const })}>
          {words.stateText(row, nowMs)}
        </Pill>
      ),
    },
    { name: words.when, csv: ({ at }) => at, cell: (row) => words.whenText(row, nowMs) },
  ];
  if (canChange) columns.push(actionsColumn(setRemoving));
  return (
    <div className={styles.list}>
      <List
        label={words.title}
        rows={rows}
        columns={columns}
        keyOf={({ key }) => key}
        more={more}
        empty={empty}
        csv={{ name: 'roster.csv' }}
      />
      {removing && <RemoveDialog row={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
}

function actionsColumn(remove: (row: Row) => void): Column<Row> {
  return {
    name: words.actions,
    isNameHidden: true,
    isNumber: true,
    narrow: 'first',
    cell: (row) =>
      row.source.kind === 'member' ? (
        <MemberMenu row={row} onRemove={() => remove(row)} />
      ) : (
        row.state === 'pending' && <RevokeButton id={row.source.id} />
      ),
  };
}

function RevokeButton({ id }: { id: string }) {
  const revoke = useRevoke();
  return (
    <Button kind="ghost" isBusy={revoke.isPending} onClick={() => revoke.mutate(id)}>
      {words.revoke}
    </Button>
  );
}

function MemberMenu({ row, onRemove }: { row: Row; onRemove: () => void }) {
  const setStatus = useSetStatus();
  const isActive = row.state === 'active';
  return (
    <Menu face={<Icon name="more" size={18} />} label={words.actionsOf(row.name ?? row.email)} className={styles.menu}>
      {row.userId !== null && <a href={`/dashboard/live/users/${row.userId}`}>{words.openUser}</a>}
      <button
        type="button"
        onClick={() => setStatus.mutate({ id: row.source.id, status: isActive ? 'archived' : 'active' })}
      >
        {isActive ? words.archive : words.reactivate}
      </button>
      <button type="button" onClick={onRemove}>
        {words.remove}
      </button>
    </Menu>
  );
}

function RemoveDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const remove = useRemoveMember();
  return (
    <DangerDialog
      title={words.removeTitle(row.name ?? row.email)}
      action={words.removeGo}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(row.source.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {words.removeNote}
    </DangerDialog>
  );
}
