// One value of one metric on one day from the values of several devices (gap G-33). The candidates are a set: their
// order never matters.
import type { DeviceClass, Method } from '../metrics/metric.ts';
import {
  type Candidate,
  type CandidateOutcome,
  type Choice,
  type Consolidated,
  type ConsolidationOutcome,
  hasSamples,
  hasValue,
  isCopy,
} from './candidate.ts';
import { mergeQuarterHours } from './merge.ts';
import { averageProviders, maxOfProviders, sumProviders } from './per-provider.ts';
import { takeFirst } from './priority.ts';
import { compareDevices, type RankedDevice } from './ranking.ts';
import { findRepeated } from './re-exports.ts';

export * from './candidate.ts';
export { rankContributors, toMergeable } from './contributors.ts';
export { type DayOfDevice, hourOf, mergeDay, openWornHours } from './merge-day.ts';
export { type MergedSeries, mergeSeries } from './merge-series.ts';
export { findQuarterHourOwners } from './quarter-hour-owners.ts';
export type { SourceOfSamples } from './re-exports.ts';
export { selectSamples } from './select-samples.ts';
export { openSeriesDays, roundToQuarterHours, type SeriesDays, type SeriesOfDevice } from './series-days.ts';

/** Receives at least one enabled candidate with a value, best first. */
type MethodRule = (ranked: readonly [Candidate, ...Candidate[]]) => Choice;

const RULES: Readonly<Record<Method, MethodRule>> = {
  priority: takeFirst,
  merge: mergeQuarterHours,
  max: maxOfProviders,
  avg: averageProviders,
  sum: sumProviders,
};

export function consolidate(
  method: Method,
  ranking: readonly DeviceClass[],
  candidates: Iterable<Candidate>,
): Consolidated {
  const compare = compareDevices(ranking);
  const ranked = [...candidates].sort((a, b) => Number(isCopy(a)) - Number(isCopy(b)) || compare(a.device, b.device));
  const enabled = ranked.filter((candidate) => candidate.isEnabled && hasValue(candidate));
  const originals = enabled.filter((candidate) => !isCopy(candidate));
  const counted = withoutReExports(method, isSome(originals) ? originals : enabled);
  const choice = isSome(counted) ? RULES[method](counted) : null;
  return new Decided(ranked, choice, counted);
}

/**
 * An app on the phone repeats what its vendor's connected account reports. In a merge it may have samples that the account does not
 * have, which count beside the devices of others.
 */
function withoutReExports(method: Method, counted: readonly Candidate[]): readonly Candidate[] {
  const repeated = findRepeated(counted.map(({ device }) => device));
  if (repeated === null) return counted;
  const reExports = new Set(counted.filter((_, index) => (repeated[index] ?? []).length > 0));
  const isReExport = (one: Candidate) => reExports.has(one);
  const vendors = new Set(counted.filter(isReExport).map(({ device }) => device.vendor));
  const isOther = (one: Candidate) => !isReExport(one) && !vendors.has(one.device.provider);
  const keepsSamples = method === 'merge' && counted.some(isOther);
  return counted.filter((one) => !isReExport(one) || (keepsSamples && hasSamples(one)));
}

/** A class, because creating a plain object with a getter takes longer than the consolidation. */
class Decided implements Consolidated {
  readonly value: number | null;
  readonly contributors: readonly RankedDevice[];
  readonly #ranked: readonly Candidate[];
  readonly #choice: Choice | null;
  readonly #counted: readonly Candidate[];

  constructor(ranked: readonly Candidate[], choice: Choice | null, counted: readonly Candidate[]) {
    this.value = choice === null ? null : choice.value;
    this.contributors = choice === null ? [] : choice.shares.map(({ candidate }) => candidate.device);
    this.#ranked = ranked;
    this.#choice = choice;
    this.#counted = counted;
  }

  get outcomes(): readonly CandidateOutcome[] {
    return this.#ranked.map((candidate) => describeOutcome(candidate, this.#choice, this.#counted.includes(candidate)));
  }
}

function isSome(candidates: readonly Candidate[]): candidates is readonly [Candidate, ...Candidate[]] {
  return candidates.length > 0;
}

function describeOutcome(candidate: Candidate, choice: Choice | null, isCounted: boolean): CandidateOutcome {
  const share = choice?.shares.find((one) => one.candidate === candidate);
  const describe = (outcome: ConsolidationOutcome) => ({
    device: candidate.device,
    outcome,
    contributed: share?.amount ?? null,
    decisions: choice?.decisionsOf?.(candidate) ?? [],
  });
  if (!candidate.isEnabled) return describe('disabled');
  if (!hasValue(candidate)) return describe('no_value');
  if (choice?.superseded === candidate) return describe('superseded');
  if (share === undefined && isCopy(candidate)) return describe('imported_copy');
  if (!isCounted) return describe('re_export');
  if (share === undefined) return describe(choice?.smaller?.includes(candidate) ? 'smaller' : 'outranked');
  return describe(share.isWhole ? 'used' : 'partly_used');
}
