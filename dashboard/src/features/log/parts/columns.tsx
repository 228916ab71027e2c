import { calendarDate, clockSeconds, shortDate } from '../../../shared/time/format-time.ts';
import type { Column } from '../../../shared/ui/list.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { DeviceName } from '../../../shared/user/device-mark.tsx';
import { lookOf } from '../../../shared/user/devices.ts';
import type { UserDevice } from '../../../shared/user/head.ts';
import { describeEntry } from '../describe-entry.ts';
import type { LogEntry } from '../queries.ts';
import { words } from '../words.ts';
import styles from './columns.module.css';

export function listColumns(devices: readonly UserDevice[], zone: string): readonly Column<LogEntry>[] {
  const looks = lookOf(devices);
  const numbers = new Map(devices.map(({ id, number }) => [id, number]));
  const lookAt = (id: string | null) => (id === null ? undefined : looks.get(numbers.get(id) ?? -1));
  return [
    {
      name: words.what,
      narrow: 'first',
      cell: (entry) => <What entry={entry} />,
    },
    { name: words.kind, narrow: 'none', cell: ({ kind }) => <span className={styles.kind}>{words.kindOf[kind]}</span> },
    {
      name: words.source,
      cell: ({ device_id: id }) => {
        const look = lookAt(id);
        return look ? <DeviceName device={look} /> : null;
      },
    },
    {
      name: words.when(zone),
      isNumber: true,
      cell: ({ at }) => (
        <time dateTime={at} className={styles.time}>
          <span>{shortDate(calendarDate(at, zone))}</span> {clockSeconds(at, zone)}
        </time>
      ),
    },
  ];
}

function What({ entry }: { entry: LogEntry }) {
  const { title, note, tone } = describeEntry(entry);
  return (
    <span className={styles.what}>
      {tone === 'plain' ? <b>{title}</b> : <Pill tone={tone}>{title}</Pill>}
      {note !== '' && <small>{note}</small>}
    </span>
  );
}
