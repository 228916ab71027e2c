import type { Method } from '../../shared/words/methods.ts';
import { plural } from '../../shared/words/numbers.ts';

export const words = {
  notLoaded: 'The consolidation settings could not be loaded.',
  keys: 'Metrics',
  find: 'Find a metric',
  noMatch: 'No metric has this name.',
  groups: { changed: 'Overrides', differs: 'Sources differ here', others: 'All others' },
  override: 'override',
  oneMetric: 'One value a day from all sources.',
  manyMetrics: (count: number, names: string) => `One setting for ${count} metrics: ${names}`,
  fromDefault: 'The default of the catalog applies.',
  useDefault: 'Use the default',
  readOnly: 'Only developers and owners can change how values are consolidated.',
  method: 'Method',
  isDefault: 'default',
  inForce: 'in force',
  methods: {
    merge: ['Merge', 'Each quarter hour from the best source that has it. Nothing counts twice, no hour is lost.'],
    priority: ['Priority', 'The whole day from the best source, even if it was not worn for hours.'],
    max: ['Largest', 'The largest value of any provider.'],
    avg: ['Mean', 'The mean of the values of all providers.'],
    sum: ['Sum', 'All providers added up. Only right if they never measure the same thing.'],
  } satisfies Record<Method, readonly [string, string]>,
  sources: 'Sources, highest rank first',
  noSources: 'No source has sent this metric in the last 30 days.',
  otherProviders: 'Other connected providers',
  switch: (source: string, metric: string) => `Use ${source} for ${metric}`,
  offForAll: 'disabled for all metrics',
  offHere: 'disabled',
  orderNote:
    'The catalog defines the order: phones before provider accounts, then the best class of device for this metric. A provider is enabled or disabled as a whole.',
  enabledNow: (provider: string) => `${provider} enabled`,
  disabledNow: (provider: string) => `${provider} disabled`,

  preview: 'Preview',
  took: (ms: number) => `${ms} ms`,
  previewEmpty:
    'Choose another method or disable a source. What would change is shown here before anything is applied.',
  previewFailed: 'The preview could not be computed.',
  nothing: 'Nothing would change.',
  reasons: {
    same_settings: 'These settings are in force already.',
    no_data: 'There is no data for this metric yet.',
    one_source: 'Only one source has this metric.',
    one_provider: 'All sources of this metric belong to one provider, and this method compares providers.',
    same_values: 'The values are the same on every day.',
  },
  daysChange: (days: number) => (days === 1 ? '1 day changes' : `${plural(days, 'day')} change`),
  ofWeek: (days: number) => `, ${days} of the last 7`,
  atLeast: 'More than 1,000 values change; the first 1,000 are shown.',
  metricsThatChange: 'Metrics that change',
  chart: (name: string) => `${name} of the last week, now and after the change`,
  now: 'Now',
  after: 'After',
  day: 'Day',
  change: 'Change',
  earlier: (days: number) => `and ${plural(days, 'earlier day')}`,
  quarters: (date: string, added: number, dropped: number) => {
    if (added > 0 && dropped === 0) return `${date}: ${plural(added, 'quarter hour')} would count that do not now`;
    if (dropped > 0 && added === 0) return `${date}: ${plural(dropped, 'quarter hour')} would no longer count`;
    if (added + dropped > 0) return `${date}: ${added} quarter hours more and ${dropped} fewer would count`;
    return `${date}: what would count`;
  },
  scores: 'Scores of the last 30 days that follow',
  noScores: 'No score of the last 30 days changes.',
  scoreDays: (days: number) => plural(days, 'day'),
  scoreMost: (date: string, from: string, to: string) => `most on ${date}: ${from} → ${to}`,

  changes: (count: number) => plural(count, 'change'),
  discard: 'Discard',
  apply: 'Apply',
  applyFailed: 'The change could not be applied.',
  /** `seconds` is null while the days are being computed. */
  outcome: (days: number, seconds: number | null) => `Applied. ${describeComputation(days, seconds)}`,
  undone: (days: number, seconds: number | null) => `Undone. ${describeComputation(days, seconds)}`,
  undo: 'Undo',
};

function describeComputation(days: number, seconds: number | null): string {
  if (days === 0) return 'No value changes.';
  if (seconds === null) return days === 1 ? '1 day is being computed…' : `${plural(days, 'day')} are being computed…`;
  return `${plural(days, 'day')} computed in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s.`;
}
