// Signatures after Standard Webhooks: HMAC-SHA256 over id, time and body, so that a receiver checks with any of its libraries.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretEnvelope } from '../../../platform/crypto/secret-envelope.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24; // this and the next by the standard
const MAX_SECRET_BYTES = 64;

export function mintSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Where a webhook's secrets are sealed for: one that is moved to another row does not open. */
export function secretContext(webhookId: string): string {
  return `webhook/${webhookId}`;
}

/** Secrets as they are kept. While the one before is good, both sign. */
export type SealedSecrets = {
  readonly webhookId: string;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly previousUntil: Date | null;
};

export function openSecrets(envelope: SecretEnvelope, sealed: SealedSecrets, now: Date): KeyObject[] {
  const { previous, previousUntil } = sealed;
  const isOverlapping = previous !== null && previousUntil !== null && now < previousUntil;
  const open = (secret: Buffer) =>
    createSecretKey(decodeSecret(envelope.open(secret, secretContext(sealed.webhookId))));
  return [sealed.secret, ...(isOverlapping ? [previous] : [])].map(open);
}

export function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/** Null: no secret of the standard's kind. Decoding is lenient, so that only what is written back the same is taken. */
export function parseSecret(text: string): KeyObject | null {
  const key = decodeSecret(text);
  const isWhole = text === SECRET_PREFIX + key.toString('base64');
  return isWhole && key.length >= MIN_SECRET_BYTES && key.length <= MAX_SECRET_BYTES ? createSecretKey(key) : null;
}

export type SignatureHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/** A signature a key; the time is that of the attempt, the id stays over retries. */
export function signMessage(
  keys: readonly KeyObject[],
  message: { readonly id: string; readonly at: Date; readonly body: string },
): SignatureHeaders {
  const seconds = String(Math.floor(message.at.getTime() / 1_000));
  const text = `${message.id}.${seconds}.${message.body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  return {
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
