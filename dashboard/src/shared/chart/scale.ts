// Linear scales and round ticks. Pure.

export type Scale = {
  (value: number): number;
  invert(position: number): number;
};

/** A domain of one value maps to the middle of the range. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [d0, d1] = domain;
  const [r0, r1] = range;
  const width = d1 - d0;
  const scale = (value: number) => (width === 0 ? (r0 + r1) / 2 : r0 + ((value - d0) / width) * (r1 - r0));
  const invert = (position: number) => (r1 === r0 ? d0 : d0 + ((position - r0) / (r1 - r0)) * width);
  return Object.assign(scale, { invert });
}

/** Round numbers within the domain: steps of 1, 2 or 5 times a power of ten, at most `count` of them. */
export function roundTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return low === high ? [low] : [];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const step of [1, 2, 5, 10, 20, 50].map((factor) => factor * power)) {
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    if (last - first + 1 <= count)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => tidy((first + index) * step));
  }
  return [];
}

/** 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
