import { boxesPath } from '../../../shared/chart/paths.ts';
import { roundPixels } from '../../../shared/chart/round-pixels.ts';
import { useDevice } from '../day-context.ts';
import { type BandBox, placeText, type RiverLayout, STAGE_HEIGHT } from '../layout.ts';
import type { RiverModel, RiverSleep, SleepStage } from '../river-model.ts';
import { words } from '../words.ts';
import { BandName } from './band-name.tsx';
import styles from './river.module.css';

const STAGES_WIDTH = 42; // of their names, beside which the names of sources are cut off
const ROWS: readonly SleepStage[] = ['awake', 'rem', 'light', 'deep'];
/** A source without stages says only that the person slept. */
const ROW_OF: Readonly<Partial<Record<SleepStage, SleepStage>>> = { asleep: 'light' };

export function SleepBand({ river, layout }: { river: RiverModel; layout: RiverLayout }) {
  const device = useDevice();
  if (layout.sleep === null) return null;
  const counted = river.sleeps.filter(({ isCounted }) => isCounted);
  const copies = river.sleeps.filter(({ isCounted }) => !isCounted);
  const names = [...new Set(counted.map((sleep) => device(sleep.device).name))];
  return (
    <g>
      <BandName layout={layout} box={layout.sleep} name={words.sleep} note={layout.isNarrow && names.join(', ')} />
      {!layout.isNarrow && (
        <>
          <foreignObject x={0} y={rowTop(layout.sleep, 1)} width={layout.left - STAGES_WIDTH} height={3 * STAGE_HEIGHT}>
            {names.map((name) => (
              <p key={name} className={styles.source} title={name}>
                {name}
              </p>
            ))}
          </foreignObject>
          {ROWS.map((stage, row) => (
            <text
              key={stage}
              x={layout.left - 7}
              y={rowTop(layout.sleep as BandBox, row) + 10.5}
              className={styles.axis}
              textAnchor="end"
            >
              {words.stages[stage]}
            </text>
          ))}
        </>
      )}
      {counted.map((sleep) => (
        <Hypnogram key={sleep.id} sleep={sleep} layout={layout} box={layout.sleep as BandBox} />
      ))}
      {copies.map((sleep, index) => (
        <Copy key={sleep.id} sleep={sleep} layout={layout} box={layout.sleep?.copies[index] as BandBox} />
      ))}
    </g>
  );
}

function rowTop(box: BandBox, row: number): number {
  return box.top + row * STAGE_HEIGHT;
}

type SleepProps = { readonly sleep: RiverSleep; readonly layout: RiverLayout; readonly box: BandBox };

function Hypnogram({ sleep, layout, box }: SleepProps) {
  const { x } = layout;
  const stages = sleep.stages ?? [{ stage: 'asleep' as const, startMs: sleep.startMs, endMs: sleep.endMs }];
  const rows = stages.flatMap(({ stage, startMs, endMs }) => {
    const row = ROWS.indexOf(ROW_OF[stage] ?? stage);
    return row === -1 || endMs <= layout.x.invert(layout.left)
      ? []
      : [{ row, from: Math.max(layout.left, x(startMs)), to: Math.min(layout.right, x(endMs)) }];
  });
  const shown = rows.filter(({ from, to }) => to > from);
  const joints = shown.slice(1).flatMap(({ row, from }, index) => {
    const before = shown[index];
    if (before === undefined || Math.abs(before.to - from) > 1.5) return [];
    const [a, b] = [rowTop(box, before.row) + STAGE_HEIGHT / 2, rowTop(box, row) + STAGE_HEIGHT / 2];
    return [`M${roundPixels(from)} ${a}V${b}`];
  });
  return (
    <g opacity={sleep.isOfDay ? 1 : 0.55}>
      <path d={joints.join('')} stroke="var(--line-strong)" strokeWidth={0.8} fill="none" />
      {ROWS.map((stage, row) => (
        <path
          key={stage}
          d={boxesPath(
            shown
              .filter((one) => one.row === row)
              .map(({ from, to }) => ({
                x: from,
                width: Math.max(1.5, to - from),
                top: rowTop(box, row) + 1.5,
                bottom: rowTop(box, row) + STAGE_HEIGHT - 1.5,
              })),
            2.5,
          )}
          fill={`var(--stage-${stage})`}
        />
      ))}
    </g>
  );
}

/** The same night as another device recorded it. */
function Copy({ sleep, layout, box }: SleepProps) {
  const device = useDevice()(sleep.device);
  const { x, left, right } = layout;
  const stages = sleep.stages ?? [{ stage: 'asleep' as const, startMs: sleep.startMs, endMs: sleep.endMs }];
  const place = placeText(device.name, x(sleep.startMs), Math.min(right, x(sleep.endMs)), layout);
  return (
    <g>
      {ROWS.map((stage) => (
        <path
          key={stage}
          d={boxesPath(
            stages
              .filter((one) => (ROW_OF[one.stage] ?? one.stage) === stage)
              .map(({ startMs, endMs }) => ({ from: Math.max(left, x(startMs)), to: Math.min(right, x(endMs)) }))
              .filter(({ from, to }) => to > from)
              .map(({ from, to }) => ({ x: from, width: to - from, top: box.top, bottom: box.top + box.height })),
            1,
          )}
          fill={`var(--stage-${stage})`}
          opacity={0.5}
        />
      ))}
      <text {...place} y={box.top + 7} className={styles.note}>
        {device.name}
      </text>
    </g>
  );
}
