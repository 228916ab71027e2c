// Subscriptions of the whole application: one for each kind of document and event; they end after about 90 days.
// https://cloud.ouraring.com/v2/docs#tag/Webhook-Subscription-Routes
import { ProviderAnswerError, type ProviderRequest, type SubscriptionRule } from '../contract.ts';
import { asObject, readId, readText, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';

const PATH = '/v2/webhook/subscription';
const EVENTS = ['create', 'update', 'delete'];

/** The kinds with webhooks, among those that we use. */
export const WITH_WEBHOOKS: readonly string[] = [
  'sleep',
  'daily_activity',
  'daily_readiness',
  'workout',
  'daily_spo2',
  'daily_stress',
  'session',
  'vo2_max',
  'daily_cardiovascular_age',
];

const onSubscription = (method: ProviderRequest['method'], path: string, json?: unknown): ProviderRequest => ({
  origin: 'api',
  method,
  path,
  ...(json === undefined ? {} : { json }),
  as: 'application',
});

export const ouraSubscriptions: SubscriptionRule = {
  per: 'application',
  wanted: WITH_WEBHOOKS.flatMap((kind) => EVENTS.map((event) => `${kind} ${event}`)),
  listRequest: () => onSubscription('GET', PATH),
  readList({ body }) {
    if (!Array.isArray(body)) throw new ProviderAnswerError('the subscriptions are not a list');
    return body.map((entry) => {
      const item = asObject(entry, 'a subscription');
      const callbackUrl = readText(item, 'callback_url');
      return {
        id: required(readId(item, 'id'), 'id'),
        topic: `${readText(item, 'data_type')} ${readText(item, 'event_type')}`,
        endsAt: toDate(readMoment(item, 'expiration_time')?.ms ?? null),
        ...(callbackUrl === null ? {} : { callbackUrl }),
      };
    });
  },
  createRequest(topic, callbackUrl, { verificationToken }) {
    const [dataType, eventType] = topic.split(' ');
    return onSubscription('POST', PATH, {
      callback_url: callbackUrl,
      verification_token: verificationToken,
      event_type: eventType,
      data_type: dataType,
    });
  },
  renewRequest: (id) => onSubscription('PUT', `${PATH}/renew/${encodeURIComponent(id)}`),
  deleteRequest: (id) => onSubscription('DELETE', `${PATH}/${encodeURIComponent(id)}`),
};

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
