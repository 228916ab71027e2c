import type { UseQueryResult } from '@tanstack/react-query';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Failure, Loading, Shape } from '../../../shared/ui/states.tsx';
import { Chips } from '../../../shared/ui/tabs.tsx';
import { useConsolidation } from '../context.ts';
import type { Draft, EditedKey } from '../draft.ts';
import type { TimedPreview } from '../queries.ts';
import { applyChanges, findLargest, formatOf, listChangedMetrics, listChanges, pickMetric } from '../read-preview.ts';
import { words } from '../words.ts';
import { ChangesTable } from './changes-table.tsx';
import { LargestDay } from './largest-day.tsx';
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
