// The layout of the river: sources flow into a trunk, and from it into webhooks. Width is the square root of the
// count. Pure.
import { roundPixels as round } from '../../shared/chart/round-pixels.ts';

type Ribbon = { readonly area: string; readonly current: string };

export type RiverSource = Ribbon & { readonly y: number; readonly head: { readonly x: number; readonly r: number } };
export type RiverOutlet = Ribbon & {
  readonly y: number;
  readonly end: { readonly x: number; readonly r: number };
  /** In front of a webhook that takes nothing: a bar, what waits before it, and the dry bed behind it. */
  readonly dam: { readonly x: number; readonly height: number; readonly pool: string; readonly bedTo: number } | null;
};

export type RiverGeometry = {
  readonly width: number;
  readonly height: number;
  readonly isNarrow: boolean;
  /** Widths of the columns with names. */
  readonly left: number;
  readonly right: number;
  readonly from: number;
  readonly to: number;
  readonly trunk: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly sources: readonly RiverSource[];
  readonly outlets: readonly RiverOutlet[];
};

type Counts = {
  readonly width: number;
  readonly sources: readonly number[];
  readonly outlets: readonly { readonly count: number; readonly waiting: number; readonly isBlocked: boolean }[];
};

const NARROW = 620;
const MIN_HEIGHT = 230;
const WIDE = { left: 170, right: 190, row: 50, trunk: 96 };
const NAME_GAP = 8;
const TIGHT = { left: 90, right: 100, row: 46, trunk: 60 };
const EDGE = 26; // half a label above the first and below the last stream
const DAM_ROOM = 0.1; // of the way from the trunk to the name
const MAX_POOL = 44;

export function layoutRiver({ width, sources, outlets }: Counts): RiverGeometry {
  const isNarrow = width < NARROW;
  const size = isNarrow ? TIGHT : WIDE;
  const isEmpty = sources.length + outlets.length === 0;
  const height = Math.max(
    isEmpty ? size.trunk + EDGE : MIN_HEIGHT,
    Math.max(sources.length, outlets.length) * size.row + EDGE,
  );
  const head = size.trunk / 8; // the widest beginning of a stream is round
  const [from, to] = [size.left + NAME_GAP + head, Math.max(size.left + 60, width - size.right - NAME_GAP)];
  const span = to - from;
  const trunk = {
    x: from + span * (isNarrow ? 0.28 : 0.36),
    width: span * (isNarrow ? 0.42 : 0.26), // room for the word below the figure
    y: (height - size.trunk) / 2,
    height: size.trunk,
  };
  const frame = { height, from, to, trunk };
  return {
    width,
    isNarrow,
    left: size.left,
    right: size.right,
    ...frame,
    sources: placeSources(sources, frame),
    outlets: placeOutlets(outlets, frame),
  };
}

type Frame = Pick<RiverGeometry, 'height' | 'from' | 'to' | 'trunk'>;

function placeSources(counts: readonly number[], { height, from, trunk }: Frame): RiverSource[] {
  const shares = divide(counts, trunk);
  return shares.map(({ y: end, width }, index) => {
    const y = spread(index, counts.length, height);
    const start = Math.max(3, width * 0.55);
    return { y, head: { x: from, r: start / 2 }, ...ribbon(from, y, start, trunk.x + 1, end, width + 0.6) };
  });
}

function placeOutlets(outlets: Counts['outlets'], { height, to, trunk }: Frame): RiverOutlet[] {
  const shares = divide(
    outlets.map(({ count, waiting }) => count + waiting),
    trunk,
  );
  const begin = trunk.x + trunk.width - 1;
  return shares.map(({ y: start, width }, index) => {
    const { isBlocked = false, waiting = 0 } = outlets[index] ?? {};
    const y = spread(index, outlets.length, height);
    const end = Math.max(5, width * 0.6);
    const way = to - begin;
    const x = isBlocked ? to - Math.max(14, DAM_ROOM * way) : to - end / 2;
    return {
      y,
      end: { x, r: end / 2 },
      dam: isBlocked
        ? placeDam({ x, y, width: end, waiting, maxPool: Math.min(MAX_POOL, 0.6 * way), bedTo: to })
        : null,
      ...ribbon(begin, start, width + 0.6, x, y, end),
    };
  });
}

type DamPlace = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly waiting: number;
  readonly maxPool: number;
  readonly bedTo: number;
};

function placeDam({ x, y, width, waiting, maxPool, bedTo }: DamPlace): RiverOutlet['dam'] {
  const pool = waiting === 0 ? width : Math.max(width, Math.min(maxPool, 14 + 4 * Math.sqrt(waiting)));
  const [begin, half] = [x - pool, pool / 2];
  const bend = x - pool * 0.35;
  const path =
    `M${round(begin)} ${round(y - width / 2)}Q${round(bend)} ${round(y - half)} ${round(x)} ${round(y - half)}` +
    `V${round(y + half)}Q${round(bend)} ${round(y + half)} ${round(begin)} ${round(y + width / 2)}Z`;
  return { x, height: pool + 10, pool: path, bedTo };
}

/** Shares of the trunk, from its top; what counts nothing is still a thin stream. */
function divide(counts: readonly number[], { y, height }: RiverGeometry['trunk']): { y: number; width: number }[] {
  const roots = counts.map((count) => Math.sqrt(count + 0.6));
  const total = roots.reduce((sum, root) => sum + root, 0);
  let top = y;
  return roots.map((root) => {
    const width = (root / total) * height;
    top += width;
    return { y: top - width / 2, width };
  });
}

/** Streams from the top to the bottom; a single one in the middle. */
function spread(index: number, count: number, height: number): number {
  return count === 1 ? height / 2 : EDGE + (index * (height - 2 * EDGE)) / (count - 1);
}

function ribbon(x1: number, y1: number, w1: number, x2: number, y2: number, w2: number): Ribbon {
  const bend = (x2 - x1) * 0.52;
  const curve = (fromX: number, fromY: number, toX: number, toY: number, pull: number) =>
    `C${round(fromX + pull)} ${round(fromY)} ${round(toX - pull)} ${round(toY)} ${round(toX)} ${round(toY)}`;
  return {
    area:
      `M${round(x1)} ${round(y1 - w1 / 2)}${curve(x1, y1 - w1 / 2, x2, y2 - w2 / 2, bend)}` +
      `V${round(y2 + w2 / 2)}${curve(x2, y2 + w2 / 2, x1, y1 + w1 / 2, -bend)}Z`,
    current: `M${round(x1)} ${round(y1)}${curve(x1, y1, x2, y2, bend)}`,
  };
}
