import styles from './count-bars.module.css';

type Props = {
  readonly counts: readonly { readonly n: number; readonly bad: number }[];
  /** Read aloud. */
  readonly label: string;
  readonly height?: number;
};

const STEP = 5;
const WIDTH = 4;
const LEAST = 1.5; // a single failure among many must be seen

/** Counts per period, oldest first; the failed part of each is marked from below. Fills the width. */
export function CountBars({ counts, label, height = 28 }: Props) {
  const top = Math.max(1, ...counts.map(({ n }) => n));
  const tall = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / top) * height));
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${counts.length * STEP - (STEP - WIDTH)} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map(({ n, bad }, index) => {
        const x = index * STEP;
        const all = tall(n);
        const failed = Math.min(all, tall(bad));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          <g key={index}>
            <rect className={styles.base} x={x} y={height - 1} width={WIDTH} height={1} />
            <rect className={styles.good} x={x} y={height - all} width={WIDTH} height={all - failed} />
            <rect className={styles.bad} x={x} y={height - failed} width={WIDTH} height={failed} />
          </g>
        );
      })}
    </svg>
  );
}
