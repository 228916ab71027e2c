import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { shortDate } from '../../../shared/time/format-time.ts';
import { Code } from '../../../shared/ui/code.tsx';
import { useUserId } from '../../../shared/user/head.ts';
import type { LogEntry } from '../queries.ts';
import { words } from '../words.ts';
import styles from './entry-details.module.css';

/** What belongs to an entry: rejected items first, a way to the day, and all of it as JSON. */
export function EntryDetails({ entry }: { entry: LogEntry }) {
  const { kind, id, at, device_id, ...rest } = entry;
  const [body] = Object.values(rest);
  const date = entry.event?.to_date ?? entry.sync?.days.to ?? null;
  return (
    <div className={styles.details}>
      {entry.upload && <Rejected upload={entry.upload} />}
      {date && <DayLink date={date} metric={entry.event?.metrics[0]} />}
      <Code value={{ kind, id, at, device_id, ...body }} label={words.json} />
    </div>
  );
}

function DayLink({ date, metric }: { date: string; metric: string | undefined }) {
  const params = { environment: useEnvironment(), userId: useUserId(), date };
  return (
    <p>
      <Link
        to="/$environment/users/$userId/day/$date"
        params={params as never}
        search={(metric === undefined ? {} : { metric }) as never}
      >
        {words.openDay(shortDate(date))}
      </Link>
    </p>
  );
}

function Rejected({ upload: { rejected, rejected_count: count } }: { upload: NonNullable<LogEntry['upload']> }) {
  if (rejected.length === 0) return null;
  return (
    <section>
      <h2 className={styles.title}>{words.rejectedItems}</h2>
      <ul className={styles.rejected}>
        {rejected.map(({ path, error, message }) => (
          <li key={`${path} ${error}`}>
            <code>{path}</code> <span>{message}</span>
          </li>
        ))}
      </ul>
      {count > rejected.length && <p>{words.moreRejected(count - rejected.length)}</p>}
    </section>
  );
}
