import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { shortWeekday } from '../../../shared/time/short-weekday.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Failure, Loading, Shape } from '../../../shared/ui/states.tsx';
import { Chips } from '../../../shared/ui/tabs.tsx';
import { QuarterCells } from '../../../shared/user/quarter-cells.tsx';
import { useConsolidation } from '../context.ts';
import type { Draft, EditedKey } from '../draft.ts';
import { dayValueQuery, type TimedPreview } from '../queries.ts';
import {
  applyChanges,
  compareQuarters,
  findLargest,
  formatOf,
  listChangedMetrics,
  listChanges,
  pickMetric,
} from '../read-preview.ts';
import { words } from '../words.ts';
import { ChangesTable } from './changes-table.tsx';
import styles from './preview-card.module.css';
import { ScoreChanges } from './score-changes.tsx';
import { WeekChart } from './week-chart.tsx';

type Props = {
  readonly edited: EditedKey;
  readonly draft: Draft;
  readonly hasDraft: boolean;
  readonly preview: UseQueryResult<TimedPreview>;
  readonly metric: string | undefined;
  readonly onMetric: (metric: string) => void;
};

/** What the draft would change. */
export function PreviewCard({ hasDraft, preview, ...rest }: Props) {
  const { data } = preview;
  return (
    <div className={styles.preview} data-waiting={preview.isPlaceholderData || undefined}>
      <header>
        <h2>{words.preview}</h2>
        {hasDraft && data && <span className={styles.took}>{words.took(data.ms)}</span>}
      </header>
      {!hasDraft && <Sign icon="undo">{words.previewEmpty}</Sign>}
      {hasDraft && preview.isError && (
        <Failure error={preview.error} what={words.previewFailed} onRetry={() => void preview.refetch()} />
      )}
      {hasDraft && preview.isPending && (
        <Loading>
          <Shape width="70%" />
          <Shape height={168} />
          <Shape />
          <Shape />
        </Loading>
      )}
      {hasDraft && data && <Effect {...rest} preview={data} />}
    </div>
  );
}

function Sign({ icon, children }: { icon: 'undo' | 'check'; children: React.ReactNode }) {
  return (
    <div className={styles.sign}>
      <Icon name={icon} size={22} />
      <p>{children}</p>
    </div>
  );
}

type EffectProps = Pick<Props, 'edited' | 'draft' | 'metric' | 'onMetric'> & { readonly preview: TimedPreview };

function Effect({ edited, draft, preview, metric: wanted, onMetric }: EffectProps) {
  const { editor } = useConsolidation();
  const { changes, scores, reason } = preview;
  const own = edited.metrics.map(({ metric }) => metric);
  const metrics = listChangedMetrics(changes);
  const metric = pickMetric(changes, own, wanted) ?? own[0] ?? '';
  const shown = listChanges(changes, metric);
  const format = formatOf(editor, metric);
  const week = edited.metrics.find((one) => one.metric === metric)?.values;
  const largest = findLargest(shown);
  return (
    <>
      {changes.length === 0 && scores.length === 0 ? (
        <Sign icon="check">
          <b>{words.nothing}</b> {reason && words.reasons[reason]}
        </Sign>
      ) : (
        <p className={styles.sum} role="status">
          <b>{words.daysChange(preview.days_changed)}</b>
          {words.ofWeek(new Set(changes.map(({ date }) => date)).intersection(new Set(editor.dates)).size)}
          {'. '}
          {preview.truncated && words.atLeast}
        </p>
      )}
      {metrics.length > 1 && (
        <Chips
          label={words.metricsThatChange}
          choices={metrics.map((one) => ({
            value: one.metric,
            text: formatOf(editor, one.metric).name,
            count: one.days,
          }))}
          value={metric}
          onChange={onMetric}
        />
      )}
      {week && (
        <WeekChart
          label={words.chart(format.name)}
          dates={editor.dates}
          now={week}
          after={applyChanges(editor.dates, week, shown)}
          format={format}
        />
      )}
      {shown.length > 0 && <ChangesTable changes={shown} metric={metric} format={format} />}
      {largest && own.includes(metric) && <LargestDay metric={metric} date={largest.date} draft={draft} />}
      {changes.length > 0 && <ScoreChanges scores={scores} />}
    </>
  );
}

/** The quarter hours of the day that changes most, as they would count. Metrics without samples have none. */
function LargestDay({ metric, date, draft }: { metric: string; date: string; draft: Draft }) {
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
