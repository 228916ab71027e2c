// UUIDs of version 4. `crypto.getRandomValues` where the runtime has it; upload ids need no secrecy, only to differ.

export type Random = () => number;

export function randomUuid(random: Random = strongRandom): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

export function strongRandom(): number {
  if (typeof crypto === 'undefined' || crypto.getRandomValues === undefined) return Math.random();
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}
