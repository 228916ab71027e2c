import { Link, useNavigate } from '@tanstack/react-router';
import { Spark } from '../../../shared/chart/spark.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { ago, dateTime } from '../../../shared/time/format-time.ts';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { Barcode } from '../../../shared/user/barcode.tsx';
import { DeviceMarks } from '../../../shared/user/device-marks.tsx';
import { number } from '../../../shared/words/numbers.ts';
import type { Directory, DirectoryUser } from '../queries.ts';
import { SCORES, words } from '../words.ts';

import styles from './users-list.module.css';

type Props = {
  readonly users: readonly DirectoryUser[];
  readonly coverage: Directory['coverage'];
  readonly more: { readonly load: () => void; readonly isLoading: boolean } | null;
};

export function UsersList({ users, coverage, more }: Props) {
  const navigate = useNavigate();
  const environment = useEnvironment();
  const addressOf = ({ id }: DirectoryUser) => `/${environment}/users/${id}` as '/';
  return (
    <div className={styles.list}>
      <List
        label={words.list}
        rows={users}
        keyOf={({ id }) => id}
        columns={[nameColumn(addressOf), devicesColumn, weekColumn(coverage), ...scoreColumns, lastColumn]}
        onOpen={(user) => void navigate({ to: addressOf(user) })}
        more={more}
        csv={{ name: `users-${environment}.csv` }}
      />
    </div>
  );
}

function nameColumn(addressOf: (user: DirectoryUser) => '/'): Column<DirectoryUser> {
  return {
    name: words.reference,
    narrow: 'first',
    csv: ({ reference }) => reference,
    cell: (user) => (
      <span className={styles.name}>
        <Link to={addressOf(user)}>{user.reference}</Link>
        {user.attention.includes('reconnect') && <Pill tone="bad">{words.reconnect}</Pill>}
        {user.attention.includes('no_data') && <Pill tone="warn">{words.noData}</Pill>}
        {user.overrides > 0 && <Pill tone="accent">{words.overrides(user.overrides)}</Pill>}
      </span>
    ),
  };
}

const devicesColumn: Column<DirectoryUser> = {
  name: words.devices,
  csv: ({ devices }) => devices.map(({ provider, status }) => `${provider} (${status})`).join('; '),
  cell: ({ devices }) => <DeviceMarks devices={devices} />,
};

function weekColumn(coverage: Directory['coverage']): Column<DirectoryUser> {
  return { name: words.week, cell: (user) => <Barcode user={user} coverage={coverage} /> };
}

const scoreColumns = SCORES.map(([type, name]): Column<DirectoryUser> => {
  const newest = ({ scores }: DirectoryUser) => scores[type]?.findLast((value) => value !== null) ?? null;
  return {
    name,
    isNumber: true,
    narrow: 'none',
    csv: newest,
    cell: (user) => (
      <span className={styles.score}>
        <Spark
          values={user.scores[type] ?? []}
          range={[0, 100]}
          width={44}
          height={20}
          label={`${name}, last seven days`}
        />
        <b>{number(newest(user))}</b>
      </span>
    ),
  };
});

const lastColumn: Column<DirectoryUser> = {
  name: words.lastData,
  csv: ({ last_data_at }) => last_data_at,
  cell: ({ last_data_at: at }) =>
    at === null ? (
      words.never
    ) : (
      <time dateTime={at} title={dateTime(at)}>
        {ago(at)}
      </time>
    ),
};
