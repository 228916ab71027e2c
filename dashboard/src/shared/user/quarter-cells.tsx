import { memo, type PointerEvent, useState } from 'react';
import type { Replies } from '../../api/types.gen.ts';
import { type Bar, boxesPath } from '../chart/paths.ts';
import { timeTicks } from '../chart/time-ticks.ts';
import { QUARTER_MS } from '../time/durations.ts';
import { clock } from '../time/format-time.ts';
import { formatValue } from '../words/values.ts';
import { DeviceMark } from './device-mark.tsx';
import { type DeviceLook, unknownDevice } from './devices.ts';
import styles from './quarter-cells.module.css';

const words = {
  counted: 'counted',
  notCounted: 'not counted',
  measuredNotCounted: 'measured, not counted',
  darker: 'darker is more',
  cell: (time: string, value: string, outcome: string) => `${time}: ${value}, ${outcome}`,
};
const WIDTH = 480;
const HEIGHT = 20;
const WEAKEST = 0.25;
const SHADES = 8; // beside the weakest

type Explanation = Pick<
  Replies['explainDayValue'],
  'quarter_hours' | 'day_start' | 'day_end' | 'zone' | 'unit' | 'decimals'
>;
type Props = { readonly explanation: Explanation; readonly devices: ReadonlyMap<number, DeviceLook> };

/** One row a source and one cell a quarter hour: counted cells are filled by strength, others outlined. */
export const QuarterCells = memo(function QuarterCells({ explanation, devices }: Props) {
  const { quarter_hours: rows, day_start: start, day_end: end, zone } = explanation;
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)];
  const largest = Math.max(...rows.flatMap(({ measured }) => measured.map((value) => value ?? 0)), 0);
  return (
    <>
      <div className={styles.grid}>
        <span />
        <div className={styles.hours} aria-hidden="true">
          {timeTicks(fromMs, toMs, zone, 3).map(({ ms, label }) => (
            <span key={ms - fromMs} style={{ left: `${((ms - fromMs) / (toMs - fromMs)) * 100}%` }}>
              {label.slice(0, 2)}
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <Row
            key={row.device}
            row={row}
            device={devices.get(row.device) ?? unknownDevice(row.device)}
            explanation={explanation}
            fromMs={fromMs}
            largest={largest}
          />
        ))}
      </div>
      <p className={styles.legend}>
        <span className={styles.full} /> {words.counted}
        <span className={styles.hollow} /> {words.measuredNotCounted}
        <span>{words.darker}</span>
      </p>
    </>
  );
});

type RowProps = {
  readonly row: Explanation['quarter_hours'][number];
  readonly device: DeviceLook;
  readonly explanation: Explanation;
  readonly fromMs: number;
  readonly largest: number;
};

function Row({ row, device, explanation, fromMs, largest }: RowProps) {
  const [quarter, setQuarter] = useState<number | null>(null);
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const pointed = Math.floor(((clientX - left) / width) * row.measured.length);
    setQuarter((row.measured[pointed] ?? null) === null ? null : pointed);
  };
  return (
    <>
      <DeviceMark device={device} size={14} />
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.cells}
        role="img"
        aria-label={device.name}
        onPointerMove={point}
      >
        {quarter !== null && <title>{describeCell(row, quarter, fromMs, explanation)}</title>}
        <Cells row={row} colour={device.colour} largest={largest} />
      </svg>
    </>
  );
}

/** Only the cell under the pointer has a title: hundreds of them would double the elements of the page. */
function describeCell(
  { measured, counted }: RowProps['row'],
  quarter: number,
  fromMs: number,
  { zone, unit, decimals }: Explanation,
): string {
  const value = formatValue(measured[quarter] ?? null, { unit, decimals: Math.min(1, decimals) });
  const isCounted = (counted[quarter] ?? null) !== null;
  return words.cell(clock(fromMs + quarter * QUARTER_MS, zone), value, isCounted ? words.counted : words.notCounted);
}

type CellsProps = Pick<RowProps, 'row' | 'largest'> & { readonly colour: string };

/** One path per shade, the first one of cells that are not counted: an element per cell takes a tenth of a day's time. */
const Cells = memo(function Cells({ row: { measured, counted }, colour, largest }: CellsProps) {
  const width = WIDTH / measured.length;
  const shades = Array.from({ length: SHADES + 2 }, (): Bar[] => []);
  for (const [index, value] of measured.entries()) {
    if (value === null) continue;
    const isCounted = (counted[index] ?? null) !== null;
    const shade = isCounted ? 1 + Math.round((Math.abs(value) / (largest || 1)) * SHADES) : 0;
    shades[shade]?.push({ x: index * width + 0.5, width: width - 1, top: 1.5, bottom: HEIGHT - 1.5 });
  }
  return (
    <g color={colour} fill="currentColor">
      {shades.map((boxes, shade) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the shade
          key={shade}
          className={shade === 0 ? styles.notCounted : undefined}
          d={boxesPath(boxes, 1)}
          fillOpacity={WEAKEST + ((1 - WEAKEST) * (shade - 1)) / SHADES}
        />
      ))}
    </g>
  );
});
