import { barsPath } from '../../../shared/chart/paths.ts';
import { linearScale } from '../../../shared/chart/scale.ts';
import { QUARTER_MS } from '../../../shared/time/durations.ts';
import { number } from '../../../shared/words/numbers.ts';
import { formatValue } from '../../../shared/words/values.ts';
import { useDevice } from '../day-context.ts';
import { type BandBox, placeText, type RiverLayout } from '../layout.ts';
import { listBars, type QuarterBar } from '../list-bars.ts';
import type { RiverModel, TotalBand } from '../river-model.ts';
import { findUncounted } from '../uncounted.ts';
import { words } from '../words.ts';
import { BandName } from './band-name.tsx';
import { Ribbon } from './ribbon.tsx';
import styles from './river.module.css';

/** Of a text from the quarter hour that it is about, whose neighbours it must not cover. */
const LABEL_DISTANCE = 30;

type Props = {
  readonly river: RiverModel;
  readonly layout: RiverLayout;
  readonly box: BandBox & { readonly ribbon: number };
  readonly band: TotalBand;
};

export function TotalChart({ river, layout, box, band }: Props) {
  const device = useDevice();
  const largest = Math.max(0, ...band.devices.flatMap(({ measured }) => measured.map((value) => value ?? 0)));
  const bottom = box.top + box.height;
  const y = linearScale([0, largest || 1], [bottom, box.top + 4]);
  const xOf = (quarter: number) => layout.x(river.fromMs + quarter * QUARTER_MS);
  const width = Math.max(1.2, xOf(1) - xOf(0) - 1.2);
  const place = (bars: readonly QuarterBar[], baseOf: (quarter: number) => number) =>
    barsPath(
      bars.map(({ quarter, amount }) => {
        const base = baseOf(quarter);
        return { x: xOf(quarter) + 0.6, width, top: y(base + amount), bottom: y(base) };
      }),
    );
  const uncounted = findUncounted(band);
  const uncountedText = words.amountNotCounted(number(uncounted?.amount, band.decimals));
  const at = xOf(uncounted?.quarter ?? 0);
  const perDevice = listBars(band);
  return (
    <g>
      <BandName layout={layout} box={box} name={band.name} note={words.perQuarter} />
      <text
        x={layout.isNarrow ? layout.right : layout.left - 7}
        y={layout.isNarrow ? box.top - 7 : box.top + 42}
        className={styles.axis}
        textAnchor="end"
      >
        {words.max(formatValue(largest, band))}
      </text>
      <path d={`M${layout.left} ${bottom}H${layout.right}`} stroke="var(--line)" />
      {perDevice.map(({ device: key, counted, notCounted }) => {
        const amounts = new Map(counted.map(({ quarter, amount }) => [quarter, amount]));
        return (
          <path
            key={key}
            data-part="not-counted"
            d={place(notCounted, (quarter) => amounts.get(quarter) ?? 0)}
            fill={device(key).colour}
            fillOpacity={0.08}
            stroke={device(key).colour}
            strokeOpacity={0.8}
            strokeWidth={0.9}
            strokeDasharray="2 1.6"
          />
        );
      })}
      {perDevice.map(({ device: key, counted }) => (
        <path key={key} data-part="counted" d={place(counted, () => 0)} fill={device(key).colour} />
      ))}
      {uncounted !== null && (
        <text
          {...placeText(uncountedText, at - LABEL_DISTANCE, at + LABEL_DISTANCE, layout)}
          y={box.top + 12}
          className={styles.uncounted}
        >
          {uncountedText}
        </text>
      )}
      <Ribbon river={river} layout={layout} top={box.ribbon} sources={band.sources} />
    </g>
  );
}
