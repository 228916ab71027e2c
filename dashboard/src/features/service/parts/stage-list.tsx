import { useCommandLine } from '../../../shared/session/command-line.ts';
import { ago } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { number } from '../../../shared/words/numbers.ts';
import type { Stage } from '../queries.ts';
import styles from '../service.module.css';
import { stageName, words } from '../words.ts';

/** The stages that data passes through, in order, with what waits and what to run if it is late. */
export function StageList({ stages }: { stages: readonly Stage[] }) {
  const nowMs = useNow();
  const commandLine = useCommandLine();
  const rows = stages.map((stage) => ({ ...stage, command: stage.command && commandLine(stage.command) }));
  return (
    <Card title={words.stages} isFlush actions={words.stagesNote}>
      <List
        label={words.stages}
        rows={rows}
        columns={columnsAt(nowMs)}
        keyOf={({ name, provider }) => `${name} ${provider}`}
        csv={{ name: 'stages.csv' }}
      />
    </Card>
  );
}

function columnsAt(nowMs: number): readonly Column<Stage>[] {
  return [
    { name: words.stage, narrow: 'first', csv: stageName, cell: (stage) => <b>{stageName(stage)}</b> },
    {
      name: words.state,
      narrow: 'first',
      csv: ({ is_late }) => (is_late ? words.isLate : words.onTime),
      cell: ({ is_late, parked }) =>
        is_late ? (
          <Pill tone="bad">{parked > 0 ? words.parked(parked) : words.isLate}</Pill>
        ) : (
          <Pill tone="good">{words.onTime}</Pill>
        ),
    },
    { name: words.waiting, isNumber: true, csv: ({ waiting }) => waiting, cell: ({ waiting }) => number(waiting) },
    {
      name: words.oldest,
      csv: ({ oldest_at }) => oldest_at,
      cell: ({ oldest_at }) => (oldest_at === null ? words.nothing : ago(oldest_at, nowMs)),
    },
    {
      name: words.run,
      csv: ({ command }) => command,
      cell: ({ command }) =>
        command && (
          <span className={styles.command}>
            <code>{command}</code>
            <Copy text={command} what={words.command} />
          </span>
        ),
    },
  ];
}
