import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { HOUR_MS } from '../../shared/time/durations.ts';
import { userKey } from '../../shared/user/head.ts';

export type SampleColumns = Replies['readSampleColumns'];
export type Metric = {
  readonly id: string;
  readonly display_name: string;
  readonly category: string;
  readonly unit: string;
  readonly kind: string;
  readonly daily: string;
  readonly timeseries: string;
};
type Source = { readonly device_id: string | null; readonly original_value: number; readonly original_unit: string };
export type DaySource = Source & { readonly sources?: readonly Source[] };
export type Daily = {
  readonly dates: readonly string[];
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
  readonly sources?: Readonly<Record<string, readonly (DaySource | null)[]>>;
};
export type Days = { readonly from_date: string; readonly to_date: string };

export function metricsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'catalog', 'metrics'],
    queryFn: ({ signal }) =>
      api.get<{ readonly data: readonly Metric[] }>(`/${environment}/v1/catalog/metrics`, { signal }),
    staleTime: HOUR_MS, // changes with the version only
  });
}

/** Every metric, to know which ones have values. */
export function dailyQuery(environment: Environment, user: string, days: Days) {
  return queryOptions({
    queryKey: [...userKey(environment, user), 'daily', days],
    queryFn: ({ signal }) => api.get<Daily>(`/${environment}/v1/users/${user}/daily`, { query: { ...days }, signal }),
    placeholderData: keepPreviousOf(...userKey(environment, user)),
  });
}

/** The devices behind the values of the metrics on screen. */
export function sourcesQuery(environment: Environment, user: string, days: Days, metrics: readonly string[]) {
  const query = { ...days, types: metrics.join(), include_sources: true };
  return queryOptions({
    queryKey: [...userKey(environment, user), 'daily', query],
    queryFn: ({ signal }) => api.get<Daily>(`/${environment}/v1/users/${user}/daily`, { query, signal }),
    enabled: metrics.length > 0,
    placeholderData: keepPreviousOf(...userKey(environment, user)),
  });
}

export type SampleRange = { readonly fromMs: number; readonly toMs: number };

export function samplesQuery(
  environment: Environment,
  user: string,
  metric: string,
  range: SampleRange,
  points: number,
) {
  const query = { metric, from: formatTime(range.fromMs), to: formatTime(range.toMs), points };
  return queryOptions({
    queryKey: [...userKey(environment, user), 'samples', metric, query],
    queryFn: ({ signal }) => api.get<SampleColumns>(`/${environment}/users/${user}/samples`, { query, signal }),
    placeholderData: keepPreviousOf(...userKey(environment, user), 'samples', metric),
  });
}

export function loadSamplesCsv(environment: Environment, user: string, metric: string, range: SampleRange) {
  const query = { metric, from: formatTime(range.fromMs), to: formatTime(range.toMs), points: 10_000 };
  return api.csv(`/${environment}/users/${user}/samples`, { query });
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
