// The source of each quarter hour as runs, for a ribbon under a chart. Pure.
import type { DeviceNumber } from '../../../domain/tenancy.ts';

/** No device: no source. */
type SourceRun = { readonly device: DeviceNumber | null; readonly quarters: number };

export function toRuns(sources: readonly (DeviceNumber | null)[]): SourceRun[] {
  const runs: { device: DeviceNumber | null; quarters: number }[] = [];
  for (const source of sources) {
    const last = runs.at(-1);
    if (last !== undefined && last.device === source) last.quarters += 1;
    else runs.push({ device: source, quarters: 1 });
  }
  return runs;
}
