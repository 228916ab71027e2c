// What can be requested from COROS. The access token is part of the query, so URLs of these requests are secrets.

import type { FetchWindow, ProviderAccount, ProviderAnswer, ProviderRequest, Resource } from '../contract.ts';
import { collectRecords } from '../provider-records.ts';
import { isObject } from '../read-json.ts';
import { readFailure } from './envelope.ts';
import { mapDaily } from './map-daily.ts';
import { mapSports } from './map-sports.ts';
import { DAILY, LINK_STATE } from './unconfirmed.ts';

const common = {
  scope: null,
  /** The longest is 30 days, both dates included. */
  windowDays: 29,
  nextCursor: () => null,
  isEmpty: () => false,
  readFailure,
} as const;

function request(path: string, account: ProviderAccount, window: FetchWindow | null): ProviderRequest {
  const token = { token: account.accessToken, openId: account.providerUserId };
  const dates = window && { startDate: writeDate(window.fromDate), endDate: writeDate(window.toDate) };
  return { origin: 'api', method: 'GET', path, query: { ...token, ...dates }, as: 'nobody' };
}

/** 20260302 */
function writeDate(date: string): string {
  return date.replaceAll('-', '');
}

/** Routes and laps are only in the recording behind `fitUrl`, which is not read. */
const sports: Resource = {
  ...common,
  name: 'sport',
  settledAfterDays: 3,
  request: (window, _cursor, account) => request('/v2/coros/sport/list', account, window),
  map: mapSports,
};

const daily: Resource = {
  ...common,
  name: 'daily',
  part: DAILY,
  settledAfterDays: 3,
  request: (window, _cursor, account) => request('/coros/daily/query', account, window),
  map: mapDaily,
};

/** Has no data: a link that the user removed counts as a rejected token. */
const linkState: Resource = {
  ...common,
  name: 'bindState',
  part: LINK_STATE,
  settledAfterDays: 1,
  isCurrentOnly: true,
  request: (_window, _cursor, account) => request('/coros/bindState', account, null),
  readFailure: (answer) => (isUnlinked(answer) ? 'unauthorized' : readFailure(answer)),
  map: () => collectRecords().records(),
};

function isUnlinked({ body }: ProviderAnswer): boolean {
  const data = isObject(body) ? body.data : null;
  return isObject(data) && data.bindState === 0;
}

export const COROS_RESOURCES: readonly Resource[] = [sports, daily, linkState];
