// Paths of lines and bars. Pure.
import type { Points } from './decimate.ts';
import { roundPixels as round } from './round-pixels.ts';
import type { Scale } from './scale.ts';

/** A line; a distance of more than `gapMs` between two points is a gap. A single point is a dot. */
export function linePath({ times, values }: Points, x: Scale, y: Scale, gapMs = Number.POSITIVE_INFINITY): string {
  let path = '';
  let hasLine = true;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const isStart = index === 0 || time - (times[index - 1] as number) > gapMs;
    if (isStart && !hasLine) path += 'h.01';
    path += `${isStart ? 'M' : 'L'}${round(x(time))} ${round(y(values[index] as number))}`;
    hasLine = !isStart;
  }
  return hasLine ? path : `${path}h.01`;
}

export type Bar = { readonly x: number; readonly width: number; readonly top: number; readonly bottom: number };

const RADIUS = 1.5;

/** All bars in one path, rounded at the top. Bars without height are skipped. */
export function barsPath(bars: readonly Bar[]): string {
  return bars.map(barPath).join('');
}

function barPath({ x, width, top, bottom }: Bar): string {
  const height = bottom - top;
  if (height <= 0 || width <= 0) return '';
  const radius = Math.min(RADIUS, height, width / 2);
  const side = round(height - radius);
  const flat = round(width - 2 * radius);
  return `M${round(x)} ${round(bottom)}v${-side}q0 ${-radius} ${radius} ${-radius}h${flat}q${radius} 0 ${radius} ${radius}v${side}z`;
}

/** Rounded boxes in one path. */
export function boxesPath(boxes: readonly Bar[], radius = 2): string {
  return boxes
    .map(({ x, width, top, bottom }) => {
      const r = Math.max(0, Math.min(radius, width / 2, (bottom - top) / 2));
      const [w, h] = [round(width - 2 * r), round(bottom - top - 2 * r)];
      return `M${round(x + r)} ${round(top)}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}a${r} ${r} 0 0 1 ${-r} ${-r}v${-h}a${r} ${r} 0 0 1 ${r} ${-r}z`;
    })
    .join('');
}
