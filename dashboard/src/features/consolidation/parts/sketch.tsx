import type { Method } from '../../../shared/words/methods.ts';
import styles from './methods.module.css';

/** Two sources in three quarter hours: position and height of each bar. */
const BARS = [
  { x: 4, height: 10, source: 1 },
  { x: 21, height: 12, source: 1 },
  { x: 38, height: 4, source: 1 },
  { x: 12, height: 6, source: 2 },
  { x: 29, height: 13, source: 2 },
  { x: 46, height: 14, source: 2 },
];

/** How much of each bar is in the result. */
const SHARES: Readonly<Record<Method, readonly number[]>> = {
  merge: [1, 1, 0, 0, 0, 1],
  priority: [1, 1, 1, 0, 0, 0],
  max: [0, 0, 0, 1, 1, 1],
  avg: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
  sum: [1, 1, 1, 1, 1, 1],
};

const WIDTH = 56;
const BASE = 26;
const BAR = 7;

export function Sketch({ method }: { method: Method }) {
  return (
    <svg className={styles.sketch} viewBox={`0 0 ${WIDTH} 30`} width={WIDTH} height={30} aria-hidden="true">
      {BARS.map(({ x, height, source }, index) => {
        const share = SHARES[method][index] ?? 0;
        const colour = `var(--who-${source + 1})`;
        return (
          <rect
            key={x}
            x={x}
            y={BASE - height}
            width={BAR}
            height={height}
            rx={1.5}
            fill={colour}
            fillOpacity={share}
            stroke={colour}
            strokeDasharray={share === 0 ? '2 2' : undefined}
          />
        );
      })}
    </svg>
  );
}
