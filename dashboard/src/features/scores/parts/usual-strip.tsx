import type { Factor } from '../queries.ts';
import { placeInput } from '../usual-strip.ts';
import styles from './usual-strip.module.css';

const LIMIT = 3; // spreads on each side
const WIDTH = 126;
const HEIGHT = 14;
const at = (spreads: number) => WIDTH / 2 + (spreads / LIMIT) * (WIDTH / 2 - 6);

/** The usual mean as a stroke, one spread as a band, two as a line, and today as a dot. The text beside it says the same. */
export function UsualStrip({ factor }: { factor: Factor }) {
  const place = placeInput(factor, LIMIT);
  const middle = HEIGHT / 2;
  return (
    <svg className={styles.strip} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <line className={styles.all} x1={at(-LIMIT)} x2={at(LIMIT)} y1={middle} y2={middle} />
      <line className={styles.two} x1={at(-2)} x2={at(2)} y1={middle} y2={middle} />
      <rect className={styles.one} x={at(-1)} width={at(1) - at(-1)} y={middle - 4} height={8} rx={4} />
      <line className={styles.mean} x1={at(0)} x2={at(0)} y1={1} y2={HEIGHT - 1} />
      {place !== null && (
        <circle
          className={styles.dot}
          data-direction={factor.contribution > 0 ? 'adds' : factor.contribution < 0 ? 'takes' : undefined}
          cx={at(place)}
          cy={middle}
          r={4}
        />
      )}
    </svg>
  );
}
