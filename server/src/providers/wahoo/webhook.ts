// One webhook for each uploaded workout, for users with the scope `offline_data`. It is configured on Wahoo's portal and not signed: it has
// a token of the portal in its body, which we do not need: our secret is in the path, and the body is only a hint. The workout is fetched.
// https://cloud-api.wahooligan.com/#webhooks
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookRule } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, readId, readPart, readText, required } from '../read-json.ts';

export const WAHOO_WEBHOOK: WebhookRule = {
  trust: 'path',
  answerChallenge: () => null,
  verify: ({ path }, { verificationToken }) =>
    isSameSecret(verificationToken, path.split('/').at(-1) ?? '') ? 'genuine' : 'forged',
  readWebhookItems(body) {
    const event = asObject(parseJsonBytes(body));
    if (readText(event, 'event_type') !== 'workout_summary') return [];
    const providerUserId = required(readId(readPart(event, 'user') ?? {}, 'id'), 'user.id');
    const workout = readPart(readPart(event, 'workout_summary') ?? {}, 'workout') ?? {};
    const id = required(readId(workout, 'id'), 'workout.id');
    return [{ kind: 'changed', providerUserId, resource: 'workouts', id, from: null, to: null }];
  },
  subscriptions: null,
};
