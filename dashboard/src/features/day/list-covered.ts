/** Half hours with a measurement as runs; each hexadecimal digit has four half hours, the first one highest. Pure. */
export function listCovered(coverage: string): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let index = 0; index < coverage.length * 4; index += 1) {
    const digit = Number.parseInt(coverage.charAt(Math.floor(index / 4)), 16);
    if ((digit & (8 >> (index % 4))) === 0) continue;
    const last = runs.at(-1);
    if (last?.to === index) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}
