import { useQuery } from '@tanstack/react-query';
import { CountBars } from '../../../shared/chart/count-bars.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { clock } from '../../../shared/time/format-time.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { CsvButton } from '../../../shared/ui/csv-button.tsx';
import { Figure, Figures } from '../../../shared/ui/figure.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Shape } from '../../../shared/ui/states.tsx';
import { number } from '../../../shared/words/numbers.ts';
import { type Overview, overviewQuery } from '../queries.ts';
import styles from '../requests.module.css';
import { sumUsage, usageColumns } from '../usage.ts';
import { words } from '../words.ts';

/** Calls of the last day: how many, how many failed, how long they took. */
export function UsageCard() {
  const environment = useEnvironment();
  const overview = useQuery(overviewQuery(environment));
  return (
    <Loaded query={overview} what={words.chartNotLoaded} shapes={<Shape height={150} radius={12} />}>
      {(data) => <Usage overview={data} name={`usage-${environment}.csv`} />}
    </Loaded>
  );
}

function Usage({ overview: { series, latency }, name }: { overview: Overview; name: string }) {
  const usage = sumUsage(series);
  const { n, bad, bars } = usage;
  return (
    <Card title={words.lastDay} actions={<CsvButton rows={bars} columns={usageColumns} name={name} />} isFlush>
      <div className={styles.usage}>
        <CountBars counts={bars} label={words.bars(n, bad)} height={64} />
        <div className={styles.axis} aria-hidden="true">
          {usage.ticks.map((at) => (
            <time key={at}>{clock(at)}</time>
          ))}
        </div>
      </div>
      <div className={styles.figures}>
        <Figures>
          <Figure label={words.calls} value={number(n)} />
          <Figure
            label={words.failed}
            value={number(bad)}
            isBad={bad > 0}
            note={bad === 0 ? words.noneFailed : words.failedNote(number((100 * bad) / n, 1))}
          />
          <Figure
            label={words.time}
            value={latency === null ? '–' : words.ms(latency.p50)}
            note={latency === null ? words.noTime : `${words.p95(latency.p95)}, ${words.latestTimes}`}
          />
        </Figures>
      </div>
    </Card>
  );
}
