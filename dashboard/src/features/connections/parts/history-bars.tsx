import { shortDate } from '../../../shared/time/format-time.ts';
import styles from '../connections.module.css';
import type { HistoryModel } from '../history.ts';
import { words } from '../words.ts';

type Props = { readonly model: HistoryModel; readonly colour: string; readonly fromDate: string | null };

/** One bar, or a thin one for each kind of data while the history is fetched. */
export function HistoryBars({ model, colour, fromDate }: Props) {
  const isThin = model.bars.some(({ name }) => name !== null);
  const label = words.historyLabel(fromDate && shortDate(fromDate), shortDate(model.limitDate));
  return (
    <div className={styles.history} role="img" aria-label={label} data-thin={isThin || undefined}>
      {model.bars.map(({ name, from }) => (
        <div key={name ?? ''} className={styles.barRow}>
          {isThin && <span>{(name ?? '').replaceAll('_', ' ')}</span>}
          <i>
            <b style={{ left: `${from * 100}%`, background: colour }} />
          </i>
        </div>
      ))}
      {model.notBegun > 0 && isThin && (
        <div className={styles.barRow}>
          <span>{words.notBegun(model.notBegun)}</span>
          <i />
        </div>
      )}
      <div className={styles.ticks}>
        {model.ticks.map(({ at, date }) => (
          <span key={date} style={{ left: `${at * 100}%` }}>
            {shortDate(date)}
          </span>
        ))}
        <span className={styles.today}>{words.today}</span>
      </div>
    </div>
  );
}
