// Nonces and revocation: the application signs with its secret instead of sending it.

import { createHmac, randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Call, SimulatedRoute } from '../dialect.ts';
import { refuseParameter, refuseWith, replyBody } from './answer.ts';
import { userIdOf } from './names.ts';
import { OAUTH_PATH } from './oauth.ts';
import { readSeconds } from './rows.ts';

const NONCE_MS = 5 * MINUTE_MS;
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

export const signedRoutes: readonly SimulatedRoute[] = [
  { method: 'POST', path: '/v2/signature', form: { action: 'getnonce' }, access: 'anyone', answer: answerNonce },
  { method: 'POST', path: OAUTH_PATH, form: { action: 'revoke' }, access: 'anyone', answer: answerRevoke },
];

function answerNonce(call: Call): RawReply {
  const { form, context } = call;
  const now = context.now().getTime();
  const sent = readSeconds(form, 'timestamp');
  if (sent === null || Math.abs(now - sent) > CLOCKS_DIFFER_MS) return refuseParameter('invalid timestamp');
  if (!isSigned(call, form.get('timestamp') ?? '')) return refuseParameter('invalid signature');
  const nonce = randomBytes(20).toString('hex');
  context.facts.set(`nonce ${nonce}`, String(now + NONCE_MS));
  return replyBody({ nonce });
}

/** A nonce is valid once, whatever the result. */
function answerRevoke(call: Call): RawReply {
  const { form, context } = call;
  const nonce = form.get('nonce') ?? '';
  const ends = Number(context.facts.get(`nonce ${nonce}`) ?? 0);
  context.facts.delete(`nonce ${nonce}`);
  if (ends <= context.now().getTime()) return refuseParameter('invalid nonce');
  if (!isSigned(call, nonce)) return refuseParameter('invalid signature');
  const isMeant = (seed: string) => String(userIdOf(seed)) === form.get('userid');
  for (const { id, account } of context.subscriptions.list(context.now()))
    if (account !== null && isMeant(account)) context.subscriptions.remove(id);
  const isEnded = context.revokeAccount(({ seed }) => isMeant(seed));
  return isEnded ? replyBody({}) : refuseWith(247, 'The userid is either absent or incorrect');
}

/** Signed over the action, the client and the nonce or timestamp. */
function isSigned({ form, context }: Call, fresh: string): boolean {
  const { clientId, clientSecret } = context.client;
  const text = [form.get('action'), form.get('client_id'), fresh].join(',');
  const expected = createHmac('sha256', clientSecret).update(text).digest();
  const sent = Buffer.from(form.get('signature') ?? '', 'hex');
  return form.get('client_id') === clientId && isSameSecret(expected, sent);
}
