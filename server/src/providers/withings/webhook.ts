// Webhooks of Withings are not signed: they arrive at a secret path and name the user and the time, and everything is fetched.
// https://developer.withings.com/developer-guide/v3/data-api/notifications/notification-overview

import type { EpochMs } from '../../domain/records/records.ts';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import {
  ProviderAnswerError,
  type WebhookItem,
  type WebhookRequest,
  type WebhookRule,
  type WebhookSecrets,
  type WebhookVerdict,
} from '../contract.ts';
import { TOPICS, withingsSubscriptions } from './subscriptions.ts';

/** A date is local: these are the largest offsets ahead of and behind UTC. */
const AHEAD_MS = 14 * HOUR_MS;
const BEHIND_MS = 12 * HOUR_MS;
const USER_EVENT = '46';
const ENDING_ACTIONS = ['delete', 'unlink'];

export const withingsWebhook: WebhookRule = {
  trust: 'path',
  answerChallenge: answerProbe,
  verify,
  readWebhookItems: (body) => toWebhookItems(new URLSearchParams(new TextDecoder().decode(body))),
  subscriptions: withingsSubscriptions,
};

/** Withings checks the URL with HEAD, GET or an empty POST before it subscribes. */
function answerProbe({ method, body }: WebhookRequest): { status: number; body: string } | null {
  const isProbe = method === 'HEAD' || method === 'GET' || body.length === 0;
  return isProbe ? { status: 200, body: '' } : null;
}

function verify({ path }: WebhookRequest, { verificationToken }: WebhookSecrets): WebhookVerdict {
  const isOurs = path.split('/').some((part) => isSameSecret(verificationToken, part));
  return isOurs ? 'genuine' : 'forged';
}

function toWebhookItems(form: URLSearchParams): WebhookItem[] {
  const providerUserId = form.get('userid') ?? '';
  const appli = form.get('appli') ?? '';
  if (!/^\d+$/.test(providerUserId) || !/^\d+$/.test(appli))
    throw new ProviderAnswerError('the webhook has no user or no kind of data');
  if (appli === USER_EVENT)
    return ENDING_ACTIONS.includes(form.get('action') ?? '') ? [{ kind: 'deauthorized', providerUserId }] : [];
  const interval = readInterval(form);
  return (TOPICS.get(appli) ?? []).map((resource) => ({
    kind: 'changed',
    providerUserId,
    resource,
    id: null,
    ...interval,
  }));
}

function readInterval(form: URLSearchParams): { from: EpochMs | null; to: EpochMs | null } {
  const date = parseLocalDate(form.get('date') ?? '');
  if (date !== null) return intervalOf(date);
  const from = readSeconds(form, 'startdate');
  const to = readSeconds(form, 'enddate');
  return from === null || to === null ? { from: null, to: null } : { from, to };
}

function intervalOf(date: LocalDate): { from: EpochMs; to: EpochMs } {
  const from = Date.parse(date) - AHEAD_MS;
  return { from: from as EpochMs, to: (Date.parse(addDays(date, 1)) + BEHIND_MS) as EpochMs };
}

function readSeconds(form: URLSearchParams, name: string): EpochMs | null {
  const text = form.get(name) ?? '';
  return /^\d{1,11}$/.test(text) ? ((Number(text) * 1_000) as EpochMs) : null;
}
