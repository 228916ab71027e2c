// What a connection shares: a few everyday categories, then each measurement by name. Pure.
import type { Category } from '../../../domain/metrics/categories.ts';
import type { TextKey, Translate } from '../../../domain/texts/index.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { listDelivered, listDeliveredCategories } from '../../../providers/delivered-metrics.ts';

const KINDS: readonly (readonly [Category, TextKey])[] = [
  ['activity', 'kind.activity'],
  ['sleep', 'kind.sleep'],
  ['vitals', 'kind.vitals'],
  ['energy', 'kind.energy'],
  ['body_composition', 'kind.body_composition'],
  ['nutrition', 'kind.nutrition'],
];

/** `keepsRoutes`: the account keeps positions of workouts. */
export function listSharedKinds(t: Translate, provider: CloudProvider, keepsRoutes: boolean): string[] {
  const categories = listDeliveredCategories(provider);
  const kinds = KINDS.filter(([category]) => categories.includes(category)).map(([category, key]) =>
    t(category === 'activity' && provider.hasWorkouts ? 'kind.activity_workouts' : key),
  );
  return provider.hasRoutes && keepsRoutes ? [...kinds, t('kind.routes')] : kinds;
}

export function listMeasurements(provider: CloudProvider): string[] {
  return listDelivered(provider).map(({ displayName }) => displayName);
}

const MONTH_DAYS = 31;
const YEAR_DAYS = 366;

/** `maxDays`: the most that we fetch, even if the provider has more. */
export function describeHistory(t: Translate, provider: Pick<CloudProvider, 'historyDays'>, maxDays: number): string {
  const days = Math.min(provider.historyDays, maxDays);
  if (days === 1) return t('consent.duration.day');
  if (days <= MONTH_DAYS) return t('consent.duration.days', { days });
  return t(days <= YEAR_DAYS ? 'consent.duration.year' : 'consent.duration.all');
}
