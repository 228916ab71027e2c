import { useQueries } from '@tanstack/react-query';
import { shortWeekday } from '../../../shared/time/short-weekday.ts';
import { QuarterCells } from '../../../shared/user/quarter-cells.tsx';
import { useConsolidation } from '../context.ts';
import type { Draft } from '../draft.ts';
import { dayValueQuery } from '../queries.ts';
import { compareQuarters } from '../read-preview.ts';
import { words } from '../words.ts';
import styles from './preview-card.module.css';

type Props = { readonly metric: string; readonly date: string; readonly draft: Draft };

/** The quarter hours of the day that changes most, as they would count. Metrics without samples have none. */
export function LargestDay({ metric, date, draft }: Props) {
  const { environment, userId, devices } = useConsolidation();
  const user = { environment, userId };
  const [now, after] = useQueries({
    queries: [dayValueQuery(user, metric, date, null), dayValueQuery(user, metric, date, draft)],
  });
  if (!now.data || !after.data || after.data.quarter_hours.length === 0) return null;
  const { added, dropped } = compareQuarters(now.data.quarter_hours, after.data.quarter_hours);
  return (
    <section className={styles.part}>
      <h3>{words.quarters(shortWeekday(date), added, dropped)}</h3>
      <QuarterCells explanation={after.data} devices={devices} />
    </section>
  );
}
