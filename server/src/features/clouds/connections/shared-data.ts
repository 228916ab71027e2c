// What a connection shares: a few everyday categories, then each measurement by name. Pure.
import type { Category } from '../../../domain/metrics/categories.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { listDelivered, listDeliveredCategories } from '../../../providers/delivered-metrics.ts';

const WORDS: readonly (readonly [Category, string])[] = [
  ['activity', 'Movement'],
  ['sleep', 'Sleep: when, how long and how well'],
  ['vitals', 'Heart rate and other vital signs'],
  ['energy', 'Energy burned'],
  ['body_composition', 'Weight and body measurements'],
  ['nutrition', 'Food and drink'],
];
const MOVEMENT_WITH_WORKOUTS = 'Movement and workouts';

export function listSharedKinds(provider: CloudProvider): string[] {
  const categories = listDeliveredCategories(provider);
  return WORDS.filter(([category]) => categories.includes(category)).map(([category, words]) =>
    category === 'activity' && provider.hasWorkouts ? MOVEMENT_WITH_WORKOUTS : words,
  );
}

export function listMeasurements(provider: CloudProvider): string[] {
  return listDelivered(provider).map(({ displayName }) => displayName);
}

const MONTH_DAYS = 31;
const YEAR_DAYS = 366;

/** `maxDays`: the most that we fetch, even if the provider has more. */
export function describeHistory(provider: Pick<CloudProvider, 'historyDays'>, maxDays: number): string {
  const historyDays = Math.min(provider.historyDays, maxDays);
  if (historyDays <= MONTH_DAYS) return `The past ${historyDays} days`;
  return historyDays <= YEAR_DAYS ? 'The past year' : 'All of your history';
}
