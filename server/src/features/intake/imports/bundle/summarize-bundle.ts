// The result of importing a bundle.
import type { ImportSummary } from '../run-import.ts';
import type { CheckedBundle } from './check-bundle.ts';

type StoredCounts = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly batches: number;
  readonly routesNotKept?: number;
};

export function summarizeBundle(
  { records, rejected, problems, skipped, devices }: CheckedBundle,
  stored: StoredCounts,
): ImportSummary {
  return {
    ...stored,
    records,
    rejected: Math.max(rejected, stored.rejected),
    sources: new Set(devices.map(({ name, provider, device }) => `${name ?? provider} (${device})`)),
    skipped,
    problems: problems.map(({ line, message }) => `line ${line}: ${message}`),
    failure: null,
  };
}
