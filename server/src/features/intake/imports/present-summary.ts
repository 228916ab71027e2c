// The result of an import as JSON, for the command line and the dashboard.
import type { ImportSummary } from './run-import.ts';

export function presentSummary({
  records,
  accepted,
  duplicates,
  rejected,
  sources,
  skipped,
  problems,
  failure,
  routesNotKept = 0,
}: ImportSummary) {
  return {
    records,
    accepted,
    duplicates,
    rejected,
    sources: [...sources],
    skipped: Object.fromEntries(skipped),
    problems,
    ...(routesNotKept > 0 && { routes_not_kept: routesNotKept }),
    error: failure?.message ?? null,
  };
}
