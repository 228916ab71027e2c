import { linePath } from '../../../shared/chart/paths.ts';
import { linearScale, roundTicks } from '../../../shared/chart/scale.ts';
import { useWidth } from '../../../shared/chart/use-width.ts';
import { weekday } from '../../../shared/time/short-weekday.ts';
import { formatValue, splitValue } from '../../../shared/words/values.ts';
import type { MetricFormat } from '../read-preview.ts';
import styles from './week-chart.module.css';

const HEIGHT = 168;
const BASE = 26; // the line of days
const LEFT = 48; // the axis

type Props = {
  readonly label: string;
  readonly dates: readonly string[];
  readonly now: readonly (number | null)[];
  readonly after: readonly (number | null)[];
  readonly format: MetricFormat;
};

/** The week as two lines: dashed now, full after the change, an arrow where it moves. */
export function WeekChart(props: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && <Chart {...props} width={width} />}
    </div>
  );
}

function Chart({ label, dates, now, after, format, width }: Props & { width: number }) {
  const known = [...now, ...after].filter((value) => value !== null);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(0, ...known), Math.max(...known)];
  const x = linearScale([0, dates.length - 1], [LEFT + 16, width - 18]);
  const y = linearScale([low, high === low ? low + 1 : high * 1.1], [HEIGHT - BASE, 10]);
  const pathOf = (values: readonly (number | null)[]) => {
    const points = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
    return linePath({ times: points.map(({ index }) => index), values: points.map(({ value }) => value) }, x, y, 1);
  };
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={label}>
      {roundTicks(low, high * 1.1, 5).map((tick) => (
        <g key={tick} className={styles.tick}>
          <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 3.5} textAnchor="end">
            {shorten(tick, format)}
          </text>
        </g>
      ))}
      <path className={styles.now} d={pathOf(now)} />
      <path className={styles.after} d={pathOf(after)} />
      {dates.map((date, index) => {
        const [before, then] = [now[index] ?? null, after[index] ?? null];
        const isMoved = before !== then;
        return (
          <g key={date}>
            {isMoved && before !== null && then !== null && (
              <path className={styles.move} d={arrow(x(index), y(before), y(then))} />
            )}
            {isMoved && before !== null && <circle className={styles.dotNow} cx={x(index)} cy={y(before)} r={4} />}
            {then !== null && (
              <circle className={isMoved ? styles.dotMoved : styles.dot} cx={x(index)} cy={y(then)} r={isMoved ? 5 : 3}>
                <title>{`${weekday(date)} ${formatValue(before, format)} → ${formatValue(then, format)}`}</title>
              </circle>
            )}
            <text className={isMoved ? styles.dayMoved : styles.day} x={x(index)} y={HEIGHT - 7} textAnchor="middle">
              {weekday(date)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const DOT = 6; // the arrow begins and ends beside the dots
const HEAD = 4;

function arrow(x: number, from: number, to: number): string {
  const way = Math.sign(to - from);
  if (Math.abs(to - from) < 2 * DOT + HEAD) return '';
  const end = to - way * DOT;
  return `M${x} ${from + way * DOT}V${end}M${x - HEAD} ${end - way * HEAD}L${x} ${end}L${x + HEAD} ${end - way * HEAD}`;
}

/** 15k, 7 h 00, 0.5 */
function shorten(value: number, format: MetricFormat): string {
  if (Math.abs(value) >= 1_000 && format.unit !== 'min') return `${value / 1_000}k`;
  return splitValue(value, { ...format, decimals: Number.isInteger(value) ? 0 : 1 }).text;
}
