import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { linearScale, roundTicks } from '../../../shared/chart/scale.ts';
import { useWidth } from '../../../shared/chart/use-width.ts';
import { type DeviceLook, unknownDevice } from '../../../shared/user/devices.ts';
import { number } from '../../../shared/words/numbers.ts';
import { axisTicks } from '../axis-ticks.ts';
import type { SampleColumns, SampleRange } from '../queries.ts';
import { rangeOf, readSeries, seriesPath, sliceSeries } from '../sample-lines.ts';
import { useZoom } from '../use-zoom.ts';
import { dragRange, moveRange, zoomRange } from '../view-range.ts';
import styles from './samples-chart.module.css';

const HEIGHT = 250;
const LEFT = 40;
const BOTTOM = 26;
const GAP_MS = 16 * 60_000;

type Props = {
  readonly columns: SampleColumns;
  /** The part that the address names. */
  readonly chosen: SampleRange | null;
  readonly all: SampleRange;
  readonly zone: string;
  readonly looks: ReadonlyMap<number, DeviceLook>;
  readonly label: string;
  readonly onShow: (range: SampleRange | null) => void;
};

export function SamplesChart({ columns, chosen, all, zone, looks, label, onShow }: Props) {
  const { range, isMoving, show } = useZoom(chosen, onShow);
  const view = range ?? all;
  const [box, width] = useWidth<HTMLDivElement>();
  const series = useMemo(() => columns.devices.map(readSeries), [columns]);
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const x = linearScale([view.fromMs, view.toMs], [LEFT, Math.max(LEFT + 1, width - 4)]);
  const drawn = useMemo(() => {
    const inView = series.map((one) => sliceSeries(one, view.fromMs, view.toMs));
    const [low, high] = rangeOf(inView) ?? [0, 1];
    const y = linearScale([columns.kind === 'sum' ? 0 : low, high === low ? low + 1 : high], [HEIGHT - BOTTOM - 4, 8]);
    const toX = linearScale([view.fromMs, view.toMs], [LEFT, Math.max(LEFT + 1, width - 4)]);
    return {
      ticks: roundTicks(columns.kind === 'sum' ? 0 : low, high, 4).map((value) => ({ value, at: y(value) })),
      paths: inView.map((one) => ({
        device: one.device,
        isDense: one.times.length > width / 2,
        path: seriesPath(one, toX, y, Math.max(GAP_MS, one.stepMs * 1.5), isMoving ? 1 : 2),
      })),
    };
  }, [series, columns.kind, view.fromMs, view.toMs, width, isMoving]);
  const timeAt = (event: PointerEvent<SVGElement>) =>
    x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const onKey = (event: KeyboardEvent) => {
    const next = rangeOfKey(event.key, view, all);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          width={width}
          height={HEIGHT}
          className={styles.chart}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move and zoom it
          tabIndex={0}
          role="application"
          aria-label={`${label} over time. Arrow keys move, plus and minus zoom, zero shows all.`}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag([timeAt(event), timeAt(event)]);
          }}
          onPointerMove={(event) => drag && setDrag([drag[0], timeAt(event)])}
          onPointerUp={(event) => {
            const dragged = drag && dragRange(drag[0], timeAt(event));
            setDrag(null);
            if (dragged) show(dragged);
          }}
          onPointerCancel={() => setDrag(null)}
          onDoubleClick={() => show(null)}
        >
          {drawn.ticks.map(({ value, at }) => (
            <g key={value}>
              <line className={styles.grid} x1={LEFT} x2={width} y1={at} y2={at} />
              <text x={LEFT - 7} y={at + 3.5} textAnchor="end">
                {number(value, Number.isInteger(value) ? 0 : 1)}
              </text>
            </g>
          ))}
          {axisTicks(view, zone, width - LEFT).map(({ ms, text }) => (
            <g key={ms}>
              <line className={styles.grid} x1={x(ms)} x2={x(ms)} y1={8} y2={HEIGHT - BOTTOM} />
              <text x={x(ms) + 4} y={HEIGHT - 9}>
                {text}
              </text>
            </g>
          ))}
          {drawn.paths.map(({ device, path, isDense }) => (
            <path
              key={device}
              className={isDense ? styles.dense : styles.line}
              d={path}
              stroke={(looks.get(device) ?? unknownDevice(device)).colour}
            />
          ))}
          {drag && (
            <rect
              className={styles.brush}
              x={Math.min(x(drag[0]), x(drag[1]))}
              width={Math.abs(x(drag[1]) - x(drag[0]))}
              y={8}
              height={HEIGHT - BOTTOM - 8}
            />
          )}
        </svg>
      )}
    </div>
  );
}

/** Undefined: not a key of the chart. Null: everything. */
function rangeOfKey(key: string, view: SampleRange, all: SampleRange): SampleRange | null | undefined {
  const centre = (view.fromMs + view.toMs) / 2;
  if (key === 'ArrowLeft') return moveRange(view, all, -0.25);
  if (key === 'ArrowRight') return moveRange(view, all, 0.25);
  if (key === '+' || key === '=') return zoomRange(view, all, 0.5, centre);
  if (key === '-') return zoomRange(view, all, 2, centre);
  return key === '0' ? null : undefined;
}
