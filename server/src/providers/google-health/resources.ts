// The requests of each plan. https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints
import { addDays, type LocalDate } from '../../domain/time/calendar.ts';
import type { FetchWindow, ProviderRequest, Resource } from '../contract.ts';
import { asObject, readText } from '../read-json.ts';
import { PLANS, type Plan, planNameOf, SCOPES } from './plans.ts';

/** The allowed maximum. */
const PAGE = '10000';
const SESSION_PAGE = '25';

export const GOOGLE_RESOURCES: readonly Resource[] = PLANS.map((plan) => ({
  name: planNameOf(plan),
  scope: SCOPES[plan.scope],
  windowDays: plan.windowDays,
  ...(plan.historyDays === undefined ? {} : { historyDays: plan.historyDays }),
  settledAfterDays: 7, // devices sync late, and sleep stages arrive after that
  request: (window, cursor) =>
    plan.as === 'rollup' ? requestDays(plan, window, cursor) : requestPoints(plan, window, cursor),
  nextCursor: (body) => readText(asObject(body), 'nextPageToken') || null,
  isEmpty: ({ status }) => status === 204,
  map: plan.mapping.map,
}));

function requestPoints(plan: Plan, window: FetchWindow, cursor: string | null): ProviderRequest {
  const isSession = plan.as === 'sleep' || plan.as === 'exercise';
  return {
    origin: 'api',
    method: 'GET',
    path: plan.as === 'listed_samples' ? pathOf(plan) : `${pathOf(plan)}:reconcile`,
    query: {
      filter: filterOf(plan, window),
      pageSize: isSession ? SESSION_PAGE : PAGE,
      ...(cursor === null ? {} : { pageToken: cursor }),
    },
    as: 'person',
  };
}

/** `end` is excluded. */
function requestDays(plan: Plan, { fromDate, toDate }: FetchWindow, cursor: string | null): ProviderRequest {
  return {
    origin: 'api',
    method: 'POST',
    path: `${pathOf(plan)}:dailyRollUp`,
    json: {
      range: { start: { date: splitDate(fromDate) }, end: { date: splitDate(addDays(toDate, 1)) } },
      windowSizeDays: 1,
      ...(cursor === null ? {} : { pageToken: cursor }),
    },
    as: 'person',
  };
}

/** Sleep is filtered by its end; other sessions only by the local time of their start. */
function filterOf({ type, as }: Plan, { from, to, fromDate, toDate }: FetchWindow): string {
  const member = type.replaceAll('-', '_');
  const between = (field: string, start: string, end: string) =>
    `${member}.${field} >= "${start}" AND ${member}.${field} < "${end}"`;
  const times = [new Date(from).toISOString(), new Date(to).toISOString()] as const;
  const dates = [fromDate, addDays(toDate, 1)] as const;
  switch (as) {
    case 'samples':
    case 'listed_samples':
      return between('sample_time.physical_time', ...times);
    case 'days':
      return between('date', ...dates);
    case 'sleep':
      return between('interval.end_time', ...times);
    case 'exercise':
    case 'logs':
      return between('interval.civil_start_time', ...dates);
    default:
      return between('interval.start_time', ...times);
  }
}

function pathOf({ type }: Plan): string {
  return `/v4/users/me/dataTypes/${type}/dataPoints`;
}

function splitDate(date: LocalDate): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
}
