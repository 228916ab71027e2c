// The subscription of the application: Strava allows one, for all events of all athletes. It does not end.
// https://developers.strava.com/docs/webhooks/
import { ProviderAnswerError, type ProviderRequest, type SubscriptionRule } from '../contract.ts';
import { asObject, readId, readText, required } from '../read-json.ts';

const PATH = '/api/v3/push_subscriptions';
const ALL_EVENTS = 'all';

const request = (
  method: ProviderRequest['method'],
  path: string,
  form?: Readonly<Record<string, string>>,
): ProviderRequest => ({ origin: 'api', method, path, ...(form === undefined ? {} : { form }), as: 'application' });

export const stravaSubscriptions: SubscriptionRule = {
  per: 'application',
  wanted: [ALL_EVENTS],
  listRequest: () => request('GET', PATH),
  readList({ body }) {
    if (!Array.isArray(body)) throw new ProviderAnswerError('the subscriptions are not a list');
    return body.map((entry) => {
      const item = asObject(entry, 'a subscription');
      const callbackUrl = readText(item, 'callback_url');
      return {
        id: required(readId(item, 'id'), 'id'),
        topic: ALL_EVENTS,
        endsAt: null,
        ...(callbackUrl === null ? {} : { callbackUrl }),
      };
    });
  },
  createRequest: (_topic, callbackUrl, { verificationToken }) =>
    request('POST', PATH, { callback_url: callbackUrl, verify_token: verificationToken }),
  renewRequest: null,
  deleteRequest: (id) => request('DELETE', `${PATH}/${encodeURIComponent(id)}`),
};
