import { memo, type PointerEvent, useState } from 'react';
import type { Replies } from '../../api/types.gen.ts';
import { timeTicks } from '../chart/time-ticks.ts';
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
const QUARTER_MS = 900_000;
const WIDTH = 480;
const HEIGHT = 20;
const WEAKEST = 0.25;

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
            <span key={ms} style={{ left: `${((ms - fromMs) / (toMs - fromMs)) * 100}%` }}>
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
  const point = ({ target }: PointerEvent) => {
    const { quarter: pointed } = (target as SVGElement).dataset;
    setQuarter(pointed === undefined ? null : Number(pointed));
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
        onPointerOver={point}
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

const Cells = memo(function Cells({ row: { measured, counted }, colour, largest }: CellsProps) {
  const width = WIDTH / measured.length;
  return (
    <g fill={colour} strokeOpacity={0.6} strokeWidth={0.8}>
      {measured.map((value, index) => {
        if (value === null) return null;
        const isCounted = (counted[index] ?? null) !== null;
        const strength = largest === 0 ? 1 : WEAKEST + (1 - WEAKEST) * (Math.abs(value) / largest);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the quarter hour
            key={index}
            data-quarter={index}
            x={index * width + 0.5}
            y={1.5}
            width={width - 1}
            height={HEIGHT - 3}
            rx={1}
            fillOpacity={isCounted ? strength : 0.1}
            stroke={isCounted ? 'none' : colour}
          />
        );
      })}
    </g>
  );
});
