import { Bars } from '../../../shared/chart/bars.tsx';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { number } from '../../../shared/words/numbers.ts';
import styles from '../home.module.css';
import type { Overview } from '../queries.ts';
import type { Range } from '../range.ts';
import { words } from '../words.ts';

type Props = { readonly overview: Overview; readonly range: Range };

export function Tiles({ overview: { series, readings, latency, flow }, range }: Props) {
  const failedDeliveries = sum(series.deliveries.bad);
  const refused = sum(series.requests.bad);
  return (
    <ul className={styles.tiles} aria-label={words.counts}>
      <Tile
        name={words.uploads}
        bars={series.uploads}
        note={words.readings(readings.n, readings.bad)}
        range={range}
        path="requests"
      />
      <Tile
        name={words.eventsTile}
        bars={series.events}
        note={words.types(flow.types.length)}
        range={range}
        path="events"
      />
      <Tile
        name={words.deliveries}
        bars={series.deliveries}
        note={sum(series.deliveries.n) === 0 ? words.noDeliveries : words.failed(failedDeliveries)}
        isBad={failedDeliveries > 0}
        range={range}
        path="webhooks"
      />
      <Tile
        name={words.requests}
        bars={series.requests}
        note={[latency && words.latency(latency.p50, latency.p95), refused > 0 && words.refused(refused)]
          .filter(Boolean)
          .join(' · ')}
        range={range}
        path="requests"
      />
    </ul>
  );
}

type TileProps = {
  readonly name: string;
  readonly bars: { readonly n: readonly number[]; readonly bad: readonly number[] };
  readonly note: string;
  readonly isBad?: boolean;
  readonly range: Range;
  readonly path: string;
};

function Tile({ name, bars, note, isBad = false, range, path }: TileProps) {
  const total = sum(bars.n);
  return (
    <li>
      <EnvironmentLink className={styles.tile} path={path}>
        <span className={styles.label}>{name}</span>
        <b className={styles.figure}>{number(total)}</b>
        <Bars counts={bars.n} failed={bars.bad} label={words.bars(name, total, range)} />
        <small data-bad={isBad || undefined}>{note}</small>
      </EnvironmentLink>
    </li>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
