import { type KeyboardEvent, memo, type PointerEvent, useMemo } from 'react';
import { type Cursor, stepOfKey, useCursor } from '../../../shared/chart/cursor.ts';
import { roundPixels } from '../../../shared/chart/round-pixels.ts';
import { timeTicks } from '../../../shared/chart/time-ticks.ts';
import { useWidth } from '../../../shared/chart/use-width.ts';
import { QUARTER_MS } from '../../../shared/time/durations.ts';
import { longDate } from '../../../shared/time/format-time.ts';
import { useDevice } from '../day-context.ts';
import { AXIS_HEIGHT, layOutRiver, type RiverLayout } from '../layout.ts';
import { readQuarter } from '../read-quarter.ts';
import type { RiverModel } from '../river-model.ts';
import { words } from '../words.ts';
import { LevelChart } from './level-band.tsx';
import { nameQuarter, nameReading } from './readout.tsx';
import styles from './river.module.css';
import { SleepBand } from './sleep-band.tsx';
import { TotalChart } from './total-band.tsx';
import { WorkoutBand, WorkoutWash } from './workout-band.tsx';

type Props = {
  readonly river: RiverModel;
  readonly cursor: Cursor;
  /** The chart under a click. */
  readonly onMetric: (metric: string) => void;
};

/** One picture of the day. Pointer, finger or arrow keys move the cursor by quarter hours. */
export function River({ river, cursor, onMetric }: Props) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const layout = useMemo(() => (width === 0 ? null : layOutRiver(river, width)), [river, width]);
  const move = (event: PointerEvent) => {
    if (layout === null) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    cursor.set(Math.floor((layout.x.invert(x) - river.fromMs) / QUARTER_MS));
  };
  const choose = (event: PointerEvent) => {
    if (layout === null || event.button !== 0) return;
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    const band = layout.bands.find(({ top, ribbon }) => y >= top - 12 && y <= ribbon + 8);
    if (band !== undefined) onMetric(band.band.metric);
  };
  return (
    <div ref={frame} className={styles.frame}>
      {layout !== null && (
        <Slider river={river} cursor={cursor} height={layout.height} onMove={move} onChoose={choose}>
          <Picture river={river} layout={layout} />
          <CursorMark river={river} layout={layout} cursor={cursor} />
        </Slider>
      )}
    </div>
  );
}

type SliderProps = {
  readonly river: RiverModel;
  readonly cursor: Cursor;
  readonly height: number;
  readonly onMove: (event: PointerEvent) => void;
  readonly onChoose: (event: PointerEvent) => void;
  readonly children: React.ReactNode;
};

function Slider({ river, cursor, height, onMove, onChoose, children }: SliderProps) {
  const quarter = useCursor(cursor);
  const device = useDevice();
  const reading = readQuarter(river, quarter);
  const press = (event: KeyboardEvent) => {
    const step = stepOfKey(event.key, river.quarters);
    if (step === null || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    cursor.set(cursor.get() + step);
  };
  return (
    <div
      className={styles.river}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={words.river(longDate(river.date))}
      aria-valuemin={0}
      aria-valuemax={river.quarters - 1}
      aria-valuenow={quarter}
      aria-valuetext={`${nameQuarter(reading, river.zone)}, ${nameReading(reading, (key) => device(key).name)}`}
      onKeyDown={press}
      onPointerMove={onMove}
      onPointerDown={onMove}
      onPointerUp={onChoose}
    >
      {children}
    </div>
  );
}

/** Drawn once a day and width; the cursor moves above it. */
const Picture = memo(function Picture({ river, layout }: { river: RiverModel; layout: RiverLayout }) {
  return (
    <svg className={styles.picture} width={layout.width} height={layout.height} aria-hidden="true">
      <Axis river={river} layout={layout} />
      <WorkoutWash river={river} layout={layout} />
      <SleepBand river={river} layout={layout} />
      {layout.bands.map((box) =>
        box.band.kind === 'level' ? (
          <LevelChart key={box.band.metric} river={river} layout={layout} box={box} band={box.band} />
        ) : (
          <TotalChart key={box.band.metric} river={river} layout={layout} box={box} band={box.band} />
        ),
      )}
      <WorkoutBand river={river} layout={layout} />
    </svg>
  );
});

function Axis({ river, layout }: { river: RiverModel; layout: RiverLayout }) {
  const hours = timeTicks(river.fromMs, river.toMs, river.zone, 1);
  const labels = hours.filter(({ label }) => Number.parseInt(label, 10) % layout.tickHours === 0);
  const lines = hours.map(({ ms }) => `M${roundPixels(layout.x(ms))} ${AXIS_HEIGHT}V${layout.height}`).join('');
  const midnight = layout.x(river.dayStartMs);
  const anchorOf = (x: number) => (x < layout.left + 16 ? 'start' : x > layout.right - 16 ? 'end' : 'middle');
  return (
    <g>
      <path d={lines} stroke="var(--line)" strokeWidth={0.7} />
      <path d={`M${midnight} ${AXIS_HEIGHT}V${layout.height}`} stroke="var(--line-strong)" strokeDasharray="2 2.5" />
      {labels.map(({ ms, label }) => (
        <text
          key={ms - river.dayStartMs}
          x={layout.x(ms)}
          y={13}
          className={styles.axis}
          textAnchor={anchorOf(layout.x(ms))}
        >
          {label}
        </text>
      ))}
    </g>
  );
}

function CursorMark({ river, layout, cursor }: { river: RiverModel; layout: RiverLayout; cursor: Cursor }) {
  const quarter = useCursor(cursor);
  const from = layout.x(river.fromMs + quarter * QUARTER_MS);
  const width = layout.x(river.fromMs + QUARTER_MS) - layout.left;
  const label = nameQuarter(readQuarter(river, quarter), river.zone);
  const labelX = Math.min(layout.right - 38, Math.max(layout.left + 38, from + width / 2));
  return (
    <svg className={styles.cursor} width={layout.width} height={layout.height} aria-hidden="true">
      <rect x={from} width={width} y={AXIS_HEIGHT} height={layout.height - AXIS_HEIGHT} className={styles.mark} />
      <rect x={labelX - 37} y={1} width={74} height={17} rx={4} className={styles.flag} />
      <text x={labelX} y={13.5} textAnchor="middle" className={styles.flagText}>
        {label}
      </text>
    </svg>
  );
}
