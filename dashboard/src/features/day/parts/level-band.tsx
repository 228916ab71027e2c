import { decimate } from '../../../shared/chart/decimate.ts';
import { linePath } from '../../../shared/chart/paths.ts';
import { linearScale, roundTicks } from '../../../shared/chart/scale.ts';
import { number } from '../../../shared/words/numbers.ts';
import { useDevice } from '../day-context.ts';
import type { BandBox, RiverLayout } from '../layout.ts';
import type { LevelBand, RiverModel } from '../river-model.ts';
import { splitLevels } from '../split-levels.ts';
import { BandName } from './band-name.tsx';
import { Ribbon } from './ribbon.tsx';
import styles from './river.module.css';

/** A longer distance between two samples is a gap. */
const GAP_MS = 16 * 60_000;
const TICKS = 3;

type Props = {
  readonly river: RiverModel;
  readonly layout: RiverLayout;
  readonly box: BandBox & { readonly ribbon: number };
  readonly band: LevelBand;
};

export function LevelChart({ river, layout, box, band }: Props) {
  const device = useDevice();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { points } of band.devices)
    for (const value of points.values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const pad = (high - low) * 0.06 || 1;
  const y = linearScale([low - pad, high + pad], [box.top + box.height, box.top]);
  const ticks = Number.isFinite(low) ? roundTicks(low, high, TICKS) : [];
  return (
    <g>
      <BandName layout={layout} box={box} name={band.name} note={band.unit} />
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${layout.left} ${y(tick)}H${layout.right}`} stroke="var(--line)" />
          <text
            x={layout.isNarrow ? layout.right : layout.left - 7}
            y={y(tick) + (layout.isNarrow ? -3 : 3.5)}
            className={styles.axis}
            textAnchor="end"
          >
            {number(tick, tick % 1 === 0 ? 0 : 1)}
          </text>
        </g>
      ))}
      {band.devices.map(({ device: key, points }) => {
        const { counted, others } = splitLevels(points, key, band.sources, river.fromMs);
        const draw = (part: typeof counted) => linePath(decimate(part, layout.x), layout.x, y, GAP_MS);
        const { colour, isDashed } = device(key);
        const dash = isDashed ? '4 2' : undefined;
        return (
          <g key={key} fill="none" stroke={colour} strokeLinecap="round" strokeLinejoin="round" strokeDasharray={dash}>
            <path d={draw(others)} strokeWidth={1.1} opacity={0.38} />
            <path d={draw(counted)} strokeWidth={1.7} />
          </g>
        );
      })}
      <Ribbon river={river} layout={layout} top={box.ribbon} sources={band.sources} />
    </g>
  );
}
