// An app on the phone repeats what its vendor's connected account reports (docs/re-exports.md). Days and timeseries use this rule, so that
// they agree.
import type { QuarterHours } from '../time/quarter-hours.ts';
import type { RankedDevice } from './ranking.ts';

/** Null for what the service computed. */
export type SourceOfSamples = Pick<RankedDevice, 'provider' | 'transport' | 'vendor'> | null;

/** For each device, the indexes of the accounts that it repeats. Null: none repeats another. */
export function findRepeated(sources: readonly SourceOfSamples[]): readonly (readonly number[])[] | null {
  if (sources.every((source) => !source?.vendor)) return null;
  const repeated = sources.map((source) =>
    sources.flatMap((account, index) => (isReExportOf(source, account) ? [index] : [])),
  );
  return repeated.some((accounts) => accounts.length > 0) ? repeated : null;
}

function isReExportOf(source: SourceOfSamples, account: SourceOfSamples): boolean {
  return source?.transport === 'sdk' && account?.transport === 'cloud' && source.vendor === account.provider;
}

/**
 * Without the quarter hours that an account counted as well. An account's zero does not displace the app: it may be one of a
 * device that is not worn.
 */
export function dropRepeatedSums(
  sources: readonly SourceOfSamples[],
  days: readonly QuarterHours[],
): readonly QuarterHours[] {
  return dropRepeated(sources, days, ({ indexes, sums }) => indexes.filter((_, index) => sums[index] !== 0), keepSums);
}

/** The quarter hours with a sample of each device, without those in which an account has samples as well. */
export function dropRepeatedQuarters(
  sources: readonly SourceOfSamples[],
  quarters: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const all = (ofDevice: readonly number[]) => ofDevice;
  return dropRepeated(sources, quarters, all, (ofDevice, isKept) => ofDevice.filter(isKept));
}

function dropRepeated<Data>(
  sources: readonly SourceOfSamples[],
  ofDevices: readonly Data[],
  quartersOf: (data: Data) => readonly number[],
  keep: (data: Data, isKept: (quarter: number) => boolean) => Data,
): readonly Data[] {
  const repeated = findRepeated(sources);
  if (repeated === null) return ofDevices;
  return ofDevices.map((data, index) => {
    const accounts = repeated[index] ?? [];
    if (accounts.length === 0) return data;
    const counted = new Set(accounts.flatMap((account) => quartersOf(ofDevices[account] as Data)));
    return counted.size === 0 ? data : keep(data, (quarter) => !counted.has(quarter));
  });
}

function keepSums(day: QuarterHours, isKept: (quarter: number) => boolean): QuarterHours {
  const indexes = day.indexes.filter(isKept);
  if (indexes.length === day.indexes.length) return day;
  return { ...day, indexes, sums: day.sums.filter((_, index) => isKept(day.indexes[index] as number)) };
}
