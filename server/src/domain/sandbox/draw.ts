// Deterministic random numbers: every draw depends only on a name.

export type Draw = {
  /** From 0 up to 1, excluded. */
  unit(): number;
  between(min: number, max: number): number;
  /** Around the mean, at most three spreads away. */
  near(mean: number, spread: number): number;
  isLucky(chance: number): boolean;
  pick<One>(list: readonly [One, ...One[]]): One;
};

export function createDraw(...names: readonly (string | number)[]): Draw {
  let state = hashText(names.join('/'));
  const unit = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    unit,
    between: (min, max) => min + (max - min) * unit(),
    // The sum of three is close enough to a normal distribution, and bounded.
    near: (mean, spread) => mean + spread * 2 * (unit() + unit() + unit() - 1.5),
    isLucky: (chance) => unit() < chance,
    pick: (list) => list[Math.floor(unit() * list.length)] ?? list[0],
  };
}

/** Random access to a long sequence without drawing all numbers before: from 0 up to 1, excluded. */
export function createNoise(...names: readonly (string | number)[]): (position: number) => number {
  const seed = hashText(names.join('/'));
  return (position) => {
    let mixed = Math.imul(seed ^ position, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a with a final mix, so that similar names have different states. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return hash ^ (hash >>> 16);
}
