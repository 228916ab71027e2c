import { linePath } from './paths.ts';
import { linearScale } from './scale.ts';

type Props = {
  /** Null is a gap. */
  readonly values: readonly (number | null)[];
  /** Read aloud. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
  /** The lowest and highest value of the scale; by default those of the values. */
  readonly range?: readonly [number, number];
};

/** A small line without axes, in the colour of the text, with a dot on the last value. */
export function Spark({ values, label, width = 64, height = 20, range }: Props) {
  const { path, last } = sparkPath(values, width, height, range);
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" />
      {last && <circle cx={last.x} cy={last.y} r={2.3} fill="currentColor" />}
    </svg>
  );
}

function sparkPath(
  values: readonly (number | null)[],
  width: number,
  height: number,
  range?: readonly [number, number],
) {
  const points = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
  const known = points.map(({ value }) => value);
  const x = linearScale([0, Math.max(1, values.length - 1)], [2.5, width - 2.5]);
  const y = linearScale(range ?? [Math.min(...known), Math.max(...known)], [height - 2.5, 2.5]);
  const last = points.at(-1);
  return {
    path: linePath({ times: points.map(({ index }) => index), values: known }, x, y, 1),
    last: last === undefined ? null : { x: x(last.index), y: y(last.value) },
  };
}
