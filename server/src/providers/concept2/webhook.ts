// Webhooks are not signed: they arrive at a secret path, and the result is fetched. The URL is entered in the developer portal.
// https://log.concept2.com/developers/documentation/#webhook
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readPart, readText, required } from '../read-json.ts';

export const concept2Webhook: WebhookRule = {
  trust: 'path',
  answerChallenge: () => null,
  verify,
  readWebhookItems: (body) => toWebhookItems(required(readPart(asObject(parseJsonBytes(body)), 'data'), 'data')),
  subscriptions: null,
};

function verify({ path }: WebhookRequest, { verificationToken }: WebhookSecrets): WebhookVerdict {
  return path.split('/').some((part) => isSameSecret(verificationToken, part)) ? 'genuine' : 'forged';
}

function toWebhookItems(event: JsonObject): WebhookItem[] {
  const result = readPart(event, 'result') ?? {};
  const providerUserId = readId(result, 'user_id') ?? readId(event, 'user_id');
  switch (required(readText(event, 'type'), 'type')) {
    case 'result-added':
    case 'result-updated': {
      const id = required(readId(result, 'id'), 'id');
      const user = required(providerUserId, 'user_id');
      return [{ kind: 'changed', providerUserId: user, resource: 'results', id, from: null, to: null }];
    }
    case 'result-deleted':
      // Documented with `result_id` only. Without a user the next poll finds what is gone.
      if (providerUserId === null) return [];
      return [{ kind: 'reconcile', providerUserId, resource: 'results', of: 'workouts', interval: null }];
    default:
      return [];
  }
}
