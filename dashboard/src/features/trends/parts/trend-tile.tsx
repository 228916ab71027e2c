import { Link } from '@tanstack/react-router';
import { roundPixels } from '../../../shared/chart/round-pixels.ts';
import { linearScale } from '../../../shared/chart/scale.ts';
import { useWidth } from '../../../shared/chart/use-width.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { shortDate } from '../../../shared/time/format-time.ts';
import { dayOfMonth, weekday } from '../../../shared/time/short-weekday.ts';
import { lookOf } from '../../../shared/user/devices.ts';
import { useUserHead, useUserId } from '../../../shared/user/head.ts';
import { formatValue, splitValue } from '../../../shared/words/values.ts';
import type { DaySource, Metric } from '../queries.ts';
import { buildTrend, type Trend } from '../trend.ts';
import { words } from '../words.ts';
import styles from './trend-tile.module.css';

const HEIGHT = 92;
const BASE = 20; // the line of days

type Props = {
  readonly metric: Metric;
  readonly dates: readonly string[];
  readonly values: readonly (number | null)[];
  readonly sources: readonly (DaySource | null)[] | undefined;
};

/** One mark per day in the colour of the device behind it; what other devices said is hollow. A click opens the day. */
export function TrendTile({ metric, dates, values, sources }: Props) {
  const { devices } = useUserHead();
  const [box, width] = useWidth<HTMLDivElement>();
  const format = { unit: metric.unit, decimals: decimalsOf(values) };
  const numbers = new Map(devices.map(({ id, number }) => [id, number]));
  const trend = buildTrend(values, {
    sources,
    numberOf: (id) => numbers.get(id) ?? null,
    isTotal: metric.kind === 'sum',
    unit: metric.unit,
  });
  const last = trend.points.at(-1);
  const shown = splitValue(last?.value ?? null, format);
  const base = `/${useEnvironment()}/users/${useUserId()}/day`;
  const addressOf = (date: string | undefined) => ({
    to: `${base}/${date}` as '/',
    search: { metric: metric.id } as never,
  });
  return (
    <article className={styles.tile}>
      <header>
        <Link {...addressOf(dates[last?.index ?? 0])} title={metric.display_name}>
          {metric.display_name}
        </Link>
        <span>
          {shown.text} <small>{shown.unit}</small>
        </span>
      </header>
      <div ref={box} className={styles.chart}>
        {width > 0 && (
          <Chart trend={trend} dates={dates} width={width} colours={coloursOf(devices)} label={describe()} />
        )}
      </div>
    </article>
  );

  function describe(): string {
    const mean = trend.mean === null ? '' : `, ${words.mean(formatValue(trend.mean, format))}`;
    const parts = last ? `${formatValue(last.value, format)} on ${shortDate(dates[last.index] ?? '')}` : words.none;
    return `${metric.display_name}: ${parts}${mean}`;
  }
}

type ChartProps = {
  readonly trend: Trend;
  readonly dates: readonly string[];
  readonly width: number;
  readonly colours: ReadonlyMap<number, string>;
  readonly label: string;
};

function Chart({ trend, dates, width, colours, label }: ChartProps) {
  const x = linearScale([0, Math.max(1, dates.length - 1)], [9, width - 9]);
  const y = linearScale([trend.low, trend.high], [HEIGHT - BASE - 4, 6]);
  const isDense = dates.length > 40;
  const radius = isDense ? 1.6 : dates.length > 10 ? 2.6 : 4;
  const path = trend.points
    .map(
      ({ index, value }, at) =>
        `${trend.points[at - 1]?.index === index - 1 ? 'L' : 'M'}${roundPixels(x(index))} ${roundPixels(y(value))}`,
    )
    .join('');
  const colourOf = (device: number | null) => (device === null ? undefined : colours.get(device)) ?? 'var(--muted)';
  const every = Math.ceil(dates.length / (width > 180 ? 7 : 4));
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={label}>
      <line className={styles.base} x1={0} x2={width} y1={HEIGHT - BASE} y2={HEIGHT - BASE} />
      {trend.mean !== null && <line className={styles.mean} x1={0} x2={width} y1={y(trend.mean)} y2={y(trend.mean)} />}
      <path className={styles.line} d={path} />
      {trend.points.flatMap(({ index, others }) =>
        others.map((other) => (
          <circle
            key={`${index} ${other.device}`}
            className={styles.other}
            cx={x(index)}
            cy={y(other.value)}
            r={radius * 0.7}
            stroke={colourOf(other.device)}
          />
        )),
      )}
      {trend.points.map(({ index, value, device }) => (
        <circle key={index} className={styles.dot} cx={x(index)} cy={y(value)} r={radius} fill={colourOf(device)} />
      ))}
      {dates.map((date, index) =>
        (dates.length - 1 - index) % every === 0 ? (
          <text key={date} x={x(index)} y={HEIGHT - 5} textAnchor="middle">
            {dates.length <= 7 ? weekday(date).slice(0, 1) : isDense ? shortDate(date) : dayOfMonth(date)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

function coloursOf(devices: Parameters<typeof lookOf>[0]): Map<number, string> {
  return new Map([...lookOf(devices)].map(([number, { colour }]) => [number, colour]));
}

/** As many decimals as the values have. */
function decimalsOf(values: readonly (number | null)[]): number {
  const has = (factor: number) => values.some((value) => value !== null && !Number.isInteger(value * factor));
  return has(1) ? (has(10) ? 2 : 1) : 0;
}
