import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time/durations.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { CsvButton } from '../../../shared/ui/csv-button.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Empty, Shape } from '../../../shared/ui/states.tsx';
import { DeviceName } from '../../../shared/user/device-mark.tsx';
import { lookOf, unknownDevice } from '../../../shared/user/devices.ts';
import { useUserHead, useUserId } from '../../../shared/user/head.ts';
import { loadSamplesCsv, type Metric, type SampleColumns, type SampleRange, samplesQuery } from '../queries.ts';
import type { TrendsSearch } from '../search.ts';
import { stepText, words } from '../words.ts';
import styles from './samples-card.module.css';
import { SamplesChart } from './samples-chart.tsx';

const POINTS = 4_000; // two per pixel of a wide screen

type Props = {
  readonly catalog: readonly Metric[];
  readonly days: number;
  readonly zone: string;
  readonly search: TrendsSearch;
  readonly onChange: (search: TrendsSearch) => void;
};

/** All samples of one metric, however many: dragging looks closer, and closer samples are loaded as they are. */
export function SamplesCard({ catalog, days, zone, search, onChange }: Props) {
  const environment = useEnvironment();
  const user = useUserId();
  const metric = search.samples ?? 'heart_rate';
  // Whole hours, so that the same request is asked again and comes from the cache.
  const now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const all: SampleRange = { fromMs: now - days * DAY_MS, toMs: now };
  const chosen = search.from !== undefined && search.to !== undefined ? { fromMs: search.from, toMs: search.to } : null;
  const samples = useQuery(samplesQuery(environment, user, metric, chosen ?? all, POINTS));
  const looks = lookOf(useUserHead().devices);
  const { from: _, to: __, ...rest } = search;
  const show = (next: SampleRange | null) =>
    onChange(next === null ? rest : { ...rest, from: next.fromMs, to: next.toMs });
  const sampled = catalog.filter(({ timeseries }) => timeseries !== 'no');
  const name = sampled.find(({ id }) => id === metric)?.display_name ?? metric.replaceAll('_', ' ');
  return (
    <Card
      title={words.samplesOf(name)}
      actions={
        <>
          {samples.data && <span aria-live="polite">{describe(samples.data)}</span>}
          <Select
            label={words.metric}
            isLabelHidden
            value={metric}
            options={sampled.map(({ id, display_name }) => ({ value: id, text: display_name }))}
            onChange={(event) => onChange({ ...rest, samples: event.target.value })}
          />
          <Button onClick={() => show(null)} disabled={search.from === undefined}>
            {words.showAll}
          </Button>
          <CsvButton
            rows={[]}
            columns={[]}
            name={`${metric}.csv`}
            load={() => loadSamplesCsv(environment, user, metric, chosen ?? all)}
          />
        </>
      }
    >
      <Loaded query={samples} what={words.samplesNotLoaded} shapes={<Shape height={250} radius={8} />}>
        {(columns) =>
          columns.devices.length === 0 ? (
            <Empty title={words.noSamples} />
          ) : (
            <>
              <SamplesChart
                key={metric}
                columns={columns}
                chosen={chosen}
                all={chosen === null ? beginWithData(all, columns) : all}
                zone={zone}
                looks={looks}
                label={name}
                onShow={show}
              />
              <p className={styles.legend}>
                {columns.devices.map(({ number }) => (
                  <DeviceName key={number} device={looks.get(number) ?? unknownDevice(number)} />
                ))}
                <span className={styles.hint}>
                  {words.hint}; {words.keysHint}
                </span>
              </p>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Without the time before the first sample. */
function beginWithData(all: SampleRange, { devices }: SampleColumns): SampleRange {
  const firstMs = Math.min(...devices.map(({ t0 }) => t0));
  return firstMs > all.fromMs && firstMs < all.toMs ? { ...all, fromMs: firstMs } : all;
}

function describe({ kind, devices }: SampleColumns): string {
  const total = devices.reduce((sum, { count }) => sum + count, 0);
  const step = stepText(devices[0]?.step_ms ?? 0);
  const how = kind === 'sample' ? null : kind === 'range' ? words.bucket(step) : words.sum(step);
  return how === null ? words.shown(total, total) : `${words.shown(total, total)}, ${how}`;
}
