import { roundPixels } from '../../../shared/chart/round-pixels.ts';
import { QUARTER_MS } from '../../../shared/time/durations.ts';
import { useDevice } from '../day-context.ts';
import { RIBBON_HEIGHT, type RiverLayout } from '../layout.ts';
import type { RiverModel } from '../river-model.ts';

type Props = {
  readonly river: RiverModel;
  readonly layout: RiverLayout;
  readonly top: number;
  readonly sources: readonly (number | null)[];
};

/** The source of each quarter hour: one path a device. */
export function Ribbon({ river, layout, top, sources }: Props) {
  const device = useDevice();
  const y = top + RIBBON_HEIGHT / 2;
  const paths = new Map<number, string>();
  for (let from = 0; from < sources.length; ) {
    const source = sources[from] as number | null;
    let to = from + 1;
    while (to < sources.length && sources[to] === source) to += 1;
    if (source !== null) {
      const [start, end] = [from, to].map((quarter) => layout.x(river.fromMs + quarter * QUARTER_MS)) as [
        number,
        number,
      ];
      paths.set(source, `${paths.get(source) ?? ''}M${roundPixels(start + 1)} ${y}H${roundPixels(end - 1)}`);
    }
    from = to;
  }
  return (
    <g data-part="ribbon">
      {[...paths].map(([source, d]) => (
        <path key={source} d={d} stroke={device(source).colour} strokeWidth={RIBBON_HEIGHT} data-device={source} />
      ))}
    </g>
  );
}
