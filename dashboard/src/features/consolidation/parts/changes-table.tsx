import { Link } from '@tanstack/react-router';
import { shortWeekday } from '../../../shared/time/short-weekday.ts';
import { formatValue } from '../../../shared/words/values.ts';
import { useConsolidation } from '../context.ts';
import { formatDifference, formatShare } from '../format-difference.ts';
import type { Change, MetricFormat } from '../read-preview.ts';
import { words } from '../words.ts';
import styles from './changes-table.module.css';

const SHOWN_DAYS = 8;

type Props = { readonly changes: readonly Change[]; readonly metric: string; readonly format: MetricFormat };

/** Day, value now, value after, and the difference; newest first. */
export function ChangesTable({ changes, metric, format }: Props) {
  const { environment, userId } = useConsolidation();
  const rest = changes.length - SHOWN_DAYS;
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">{words.now}</th>
            <th scope="col">{words.after}</th>
            <th scope="col">{words.change}</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, SHOWN_DAYS).map(({ date, from, to }) => (
            <tr key={date}>
              <td>
                <Link
                  to="/$environment/users/$userId/day/$date"
                  params={{ environment, userId, date } as never}
                  search={{ metric } as never}
                >
                  {shortWeekday(date)}
                </Link>
              </td>
              <td className={styles.now}>{formatValue(from, format)}</td>
              <td>
                <span aria-hidden="true">→</span> <b>{formatValue(to, format)}</b>
              </td>
              <td data-direction={(to ?? 0) > (from ?? 0) ? 'adds' : 'takes'}>
                {formatDifference(from, to, format)} <small>{formatShare(from, to)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className={styles.rest}>{words.earlier(rest)}</p>}
    </>
  );
}
