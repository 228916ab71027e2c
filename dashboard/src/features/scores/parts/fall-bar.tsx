import { type BarPosition, placeBar, type Waterfall } from '../waterfall.ts';
import styles from './fall-bar.module.css';

type Props = {
  readonly waterfall: Waterfall;
  readonly bands: readonly (BarPosition & { readonly name: string })[];
  readonly from: number;
  readonly to: number;
  readonly kind: 'neutral' | 'step' | 'value';
};

/** One bar on the axis of the score, joined to the rows above and below. The figures beside it say the same. */
export function FallBar({ waterfall, bands, from, to, kind }: Props) {
  const { left, width } = placeBar(waterfall, from, to);
  const joinBelow = placeBar(waterfall, waterfall.low, to).width;
  const joinAbove = placeBar(waterfall, waterfall.low, kind === 'value' ? to : from).width;
  const direction = to > from ? 'adds' : to < from ? 'takes' : 'same';
  return (
    <span className={styles.axis} aria-hidden="true" data-kind={kind}>
      {bands.map((band) => (
        <i key={band.name} className={styles.band} style={{ left: `${band.left}%`, width: `${band.width}%` }} />
      ))}
      {kind !== 'neutral' && <i className={styles.above} style={{ left: `${joinAbove}%` }} />}
      <i className={styles.bar} data-bar={direction} style={{ left: `${left}%`, width: `${width}%` }} />
      {kind !== 'value' && <i className={styles.below} style={{ left: `${joinBelow}%` }} />}
    </span>
  );
}
