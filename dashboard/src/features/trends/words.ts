import { number, plural } from '../../shared/words/numbers.ts';

/** Shown first, in this order; others follow in the order of the catalog. */
export const FIRST_METRICS = [
  'steps',
  'asleep',
  'resting_heart_rate',
  'sleep_heart_rate_variability',
  'active_calories',
  'sleep_respiratory_rate',
  'distance',
  'deep_sleep',
];

export const words = {
  notLoaded: 'The daily values could not be loaded.',
  samplesNotLoaded: 'The samples could not be loaded.',
  range: 'Days',
  days: (days: number) => (days === 365 ? '1 year' : `${days} days`),
  all: 'All',
  categories: 'Categories',
  search: 'Find a metric',
  none: 'No values in these days',
  noneNote: 'No device has sent daily values. Choose a longer period, or check the connections.',
  noMatch: 'No metric matches',
  samplesOf: (name: string) => `${name}, all samples`,
  metric: 'Metric',
  showAll: 'All',
  csv: 'CSV',
  shown: (shown: number, total: number) => `${number(shown)} of ${plural(total, 'sample')}`,
  bucket: (text: string) => `lowest and highest of each ${text}`,
  sum: (text: string) => `sums of each ${text}`,
  hint: 'drag to zoom in, double click for all',
  keysHint: 'arrow keys move, + and − zoom, 0 shows all',
  noSamples: 'No samples in this time',
  mean: (text: string) => `mean ${text}`,
  more: (count: number) => `Show ${plural(count, 'more metric')}`,
};

export function stepText(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 60) return plural(minutes, 'minute');
  return minutes < 1_440 ? plural(minutes / 60, 'hour') : plural(minutes / 1_440, 'day');
}
