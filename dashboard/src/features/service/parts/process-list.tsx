import { ago, shortDateTime } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import type { Process } from '../queries.ts';
import styles from '../service.module.css';
import { words } from '../words.ts';

export function ProcessList({ processes }: { processes: readonly Process[] }) {
  const nowMs = useNow();
  return (
    <Card title={words.processes} isFlush>
      <List
        label={words.processes}
        rows={processes}
        columns={columnsAt(nowMs)}
        keyOf={({ id }) => id}
        csv={{ name: 'processes.csv' }}
      />
    </Card>
  );
}

function columnsAt(nowMs: number): readonly Column<Process>[] {
  return [
    {
      name: words.host,
      narrow: 'first',
      csv: ({ host }) => host,
      cell: ({ host, pid }) => (
        <span className={styles.host}>
          <b>{host}</b>
          <small>{words.process(pid)}</small>
        </span>
      ),
    },
    {
      name: words.state,
      narrow: 'first',
      csv: ({ is_alive }) => (is_alive ? words.alive : words.silent),
      cell: ({ is_alive }) => <Pill tone={is_alive ? 'good' : 'bad'}>{is_alive ? words.alive : words.silent}</Pill>,
    },
    { name: words.role, csv: ({ role }) => role, cell: ({ role }) => words.roles[role] },
    { name: words.version, csv: ({ version }) => version, cell: ({ version }) => version },
    {
      name: words.since,
      csv: ({ started_at }) => started_at,
      cell: ({ started_at }) => shortDateTime(started_at, nowMs),
    },
    { name: words.seen, csv: ({ seen_at }) => seen_at, cell: ({ seen_at }) => ago(seen_at, nowMs) },
  ];
}
