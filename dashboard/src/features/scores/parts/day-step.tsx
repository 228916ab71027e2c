import { Link } from '@tanstack/react-router';
import { addDays } from '../../../shared/time/dates.ts';
import { shortWeekday } from '../../../shared/time/short-weekday.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { Selection } from '../use-selection.ts';
import { words } from '../words.ts';
import styles from './day-step.module.css';

/** One day back or forward, with the day in between. */
export function DayStep({ selection }: { selection: Selection }) {
  const { date, today, addressOf } = selection;
  const next = addDays(date, 1);
  return (
    <span className={styles.step}>
      <Link {...addressOf(addDays(date, -1))} aria-label={words.dayBefore} title={`${words.dayBefore} (←)`}>
        <Icon name="left" size={15} />
      </Link>
      <time dateTime={date}>{shortWeekday(date)}</time>
      {next <= today ? (
        <Link {...addressOf(next)} aria-label={words.dayAfter} title={`${words.dayAfter} (→)`}>
          <Icon name="right" size={15} />
        </Link>
      ) : (
        <span className={styles.last}>
          <Icon name="right" size={15} />
        </span>
      )}
    </span>
  );
}
