import { Link, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { DAY_MS } from '../../../shared/time/durations.ts';
import { clockSeconds, dateTime, shortDateTime } from '../../../shared/time/format-time.ts';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { barOf, shortPath, toneOf } from '../describe-request.ts';
import type { Request } from '../queries.ts';
import styles from '../requests.module.css';
import { words } from '../words.ts';

type Props = {
  readonly rows: readonly Request[];
  readonly label: string;
  readonly more?: { readonly load: () => void; readonly isLoading: boolean } | null;
  readonly csv: { readonly name: string; readonly load?: () => Promise<string> };
};

export function RequestList({ rows, label, more = null, csv }: Props) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const addressOf = ({ id }: Request) =>
    ({ to: '/$environment/requests/$requestId', params: { environment, requestId: id } }) as const;
  const call: Column<Request> = {
    name: words.call,
    narrow: 'first',
    csv: ({ path }) => path,
    cell: (request) => (
      <span className={styles.call}>
        <b>{request.method}</b>
        <Link {...addressOf(request)}>{shortPath(request)}</Link>
        {request.error !== null && <small>{request.error}</small>}
      </span>
    ),
  };
  return (
    <div className={styles.list}>
      <List
        label={label}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[whenColumn, statusColumn, call, durationColumn]}
        onOpen={(request) => void navigate(addressOf(request))}
        more={more}
        csv={csv}
      />
    </div>
  );
}

const whenColumn: Column<Request> = {
  name: words.when,
  csv: ({ at }) => at,
  cell: ({ at }) => (
    <time dateTime={at} title={dateTime(at)}>
      {Date.now() - Date.parse(at) < DAY_MS ? clockSeconds(at) : shortDateTime(at)}
    </time>
  ),
};

const statusColumn: Column<Request> = {
  name: words.status,
  csv: ({ status }) => status,
  cell: ({ status }) => (
    <span className={styles.status} data-tone={toneOf(status)}>
      {status}
    </span>
  ),
};

const durationColumn: Column<Request> = {
  name: words.duration,
  isNumber: true,
  csv: ({ ms }) => ms,
  cell: ({ ms }) => (
    <span className={styles.duration}>
      {words.ms(ms)}
      <i>
        <i style={{ width: `${barOf(ms) * 100}%` }} />
      </i>
    </span>
  ),
};
