import styles from './bars.module.css';
import { roundPixels } from './round-pixels.ts';

type Props = {
  readonly counts: readonly number[];
  /** The failed part of each bar. */
  readonly failed?: readonly number[];
  /** Read aloud. */
  readonly label: string;
  readonly height?: number;
};

const STEP = 4; // of the drawing, which is stretched to the width of its place
const GAP = 1;
const MIN_HEIGHT = 1.5; // what happened once is seen beside what happened a thousand times

/** Counts over time as bars, from zero to the largest. */
export function Bars({ counts, failed = [], label, height = 30 }: Props) {
  const largest = Math.max(1, ...counts);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / largest) * height));
  const width = counts.length * STEP;
  const draw = (values: readonly number[]) =>
    values
      .map((value, index) =>
        value === 0 ? '' : `M${index * STEP} ${height}v${-roundPixels(heightOf(value))}h${STEP - GAP}V${height}Z`,
      )
      .join('');
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className={styles.ground} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      <path className={styles.all} d={draw(counts)} />
      <path className={styles.failed} d={draw(failed)} />
    </svg>
  );
}
