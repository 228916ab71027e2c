// The user's identity, and revocation.
import type { Call, SimulatedRoute } from '../dialect.ts';
import { nameHex } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { healthUserIdOf } from './data-point.ts';

export const personRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: '/v4/users/me/identity',
    access: 'person',
    scope: null,
    answer({ view }) {
      const { seed } = view.account;
      const legacyUserId = nameHex(6, 'google_health', seed, 'legacy').toUpperCase();
      return replyJson(200, { name: 'users/me/identity', legacyUserId, healthUserId: healthUserIdOf(seed) });
    },
  },
  { method: 'POST', path: '/revoke', access: 'anyone', answer: answerRevoke },
];

/** Either token of a pair revokes both. */
function answerRevoke({ query, form, context }: Call) {
  const token = form.get('token') ?? query.get('token') ?? '';
  const claims = context.readAccess(token) ?? context.readRefresh(token);
  if (claims === null) return replyJson(400, { error: 'invalid_token', error_description: 'Token expired or revoked' });
  context.revoke(claims);
  return replyJson(200, {});
}
