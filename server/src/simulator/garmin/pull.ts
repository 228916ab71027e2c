// Links in pings: valid only for the data that the ping announced. Requests without a link are rejected.

import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountView } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import { replyJson } from '../reply-json.ts';
import { SYNC_EVERY_MS } from '../sync-time.ts';
import { KINDS, listSummaries, type SummaryKind } from './kinds.ts';
import { refuseWith } from './refuse.ts';
import { type Summary, toSeconds, userIdOf } from './summary.ts';

const API = 'https://apis.garmin.com';
const MAX_WINDOW_SECONDS = 86_400;

export const REST = '/wellness-api/rest';

export const pullRoutes: readonly SimulatedRoute[] = KINDS.map((kind) => ({
  method: 'GET',
  path: pathOf(kind),
  access: 'person',
  scope: kind.permission,
  answer: (call) => answerPull(kind, call),
}));

function pathOf({ path, name }: SummaryKind): string {
  return `${REST}/${path ?? name}`;
}

export function writePing(
  kind: SummaryKind,
  summaries: readonly Summary[],
  view: AccountView,
  context: ProviderContext,
) {
  const starts = summaries.map(({ startMs }) => startMs);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const uploadEndTimeInSeconds = toSeconds(view.nowMs);
  const uploadStartTimeInSeconds = uploadEndTimeInSeconds - SYNC_EVERY_MS / 1_000;
  const url = new URL(`${API}${pathOf(kind)}`);
  url.searchParams.set('uploadStartTimeInSeconds', String(uploadStartTimeInSeconds));
  url.searchParams.set('uploadEndTimeInSeconds', String(uploadEndTimeInSeconds));
  const interval = `${first}.${last}`;
  const upload = `${uploadStartTimeInSeconds}-${uploadEndTimeInSeconds}`;
  url.searchParams.set('token', `${interval}.${sign(context, view, kind, interval, upload)}`);
  return { userId: userIdOf(view), uploadStartTimeInSeconds, uploadEndTimeInSeconds, callbackURL: url.href };
}

function answerPull(kind: SummaryKind, { view, query, context }: PersonCall): RawReply {
  const [start, end] = ['uploadStartTimeInSeconds', 'uploadEndTimeInSeconds'].map((name) => query.get(name));
  if (!isSeconds(start) || !isSeconds(end)) return refuseWith(400, 'Missing time range parameters');
  if (Number(end) - Number(start) > MAX_WINDOW_SECONDS || Number(end) < Number(start))
    return refuseWith(400, 'The time range is longer than 24 hours');
  const [first = '', last = '', signature = ''] = (query.get('token') ?? '').split('.');
  if (!isSameSecret(sign(context, view, kind, `${first}.${last}`, `${start}-${end}`), signature))
    return refuseWith(400, 'InvalidPullTokenException failure');
  const summaries = listSummaries(kind, view, Number(first), Number(last) + 1);
  return replyJson(
    200,
    summaries.map((summary) => summary.write()),
  );
}

function isSeconds(text: string | null | undefined): text is string {
  return /^\d{1,11}$/.test(text ?? '');
}

function sign(
  context: ProviderContext,
  { account }: AccountView,
  { name }: SummaryKind,
  interval: string,
  upload: string,
): string {
  const reported = [account.seed, name, interval, upload].join('/');
  return createHmac('sha256', context.derive('pull')).update(reported).digest('hex').slice(0, 32);
}
