import { linePath } from './paths.ts';
import { linearScale } from './scale.ts';

type Props = {
  /** Null is a gap. */
  readonly values: readonly (number | null)[];
  /** Read aloud. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
};

/** A small line without axes, in the colour of the text. */
export function Spark({ values, label, width = 64, height = 20 }: Props) {
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
      />
    </svg>
  );
}

export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const points = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
  const known = points.map(({ value }) => value);
  const x = linearScale([0, Math.max(1, values.length - 1)], [1.5, width - 1.5]);
  const y = linearScale([Math.min(...known), Math.max(...known)], [height - 2, 2]);
  return linePath({ times: points.map(({ index }) => index), values: known }, x, y, 1);
}
