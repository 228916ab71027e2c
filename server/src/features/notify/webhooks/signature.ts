// Signs deliveries according to Standard Webhooks (HMAC-SHA256 over id, time and body), so that receivers can use its libraries.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretEnvelope } from '../../../platform/crypto/secret-envelope.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24; // both limits are from the standard
const MAX_SECRET_BYTES = 64;

export function mintSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The context that secrets are sealed with: a secret copied to another row does not open. */
export function secretContext(webhookId: string): string {
  return `webhook/${webhookId}`;
}

/** The stored secrets. `previous` has those that were replaced and still sign, the last of them until `previousUntil`. */
type SealedSecrets = {
  readonly webhookId: string;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly previousUntil: Date | null;
};

export function openSecrets(envelope: SecretEnvelope, sealed: SealedSecrets, now: Date): KeyObject[] {
  const secrets = [openSecret(envelope, sealed), ...openPrevious(envelope, sealed, now).map(({ secret }) => secret)];
  return secrets.map((secret) => createSecretKey(decodeSecret(secret)));
}

type PreviousSecret = { readonly secret: string; readonly until: Date };

const MAX_PREVIOUS = 4; // each adds a signature to the header

/** What `previous` becomes when the secret is replaced: it signs until `until`, those before it as long as they did. */
export function sealPrevious(envelope: SecretEnvelope, sealed: SealedSecrets, now: Date, until: Date): Buffer {
  const replaced = [{ secret: openSecret(envelope, sealed), until }, ...openPrevious(envelope, sealed, now)];
  const lines = replaced.slice(0, MAX_PREVIOUS).map(({ secret, until }) => `${secret} ${until.toISOString()}`);
  return envelope.seal(lines.join('\n'), secretContext(sealed.webhookId));
}

function openSecret(envelope: SecretEnvelope, { secret, webhookId }: SealedSecrets): string {
  return envelope.open(secret, secretContext(webhookId));
}

/** Newest first. A line without a time is from an earlier release, which kept one secret: it signs until `previousUntil`. */
function openPrevious(envelope: SecretEnvelope, sealed: SealedSecrets, now: Date): PreviousSecret[] {
  const { webhookId, previous, previousUntil } = sealed;
  if (previous === null || previousUntil === null || now >= previousUntil) return [];
  return envelope
    .open(previous, secretContext(webhookId))
    .split('\n')
    .map((line) => {
      const [secret = '', until] = line.split(' ');
      return { secret, until: until === undefined ? previousUntil : new Date(until) };
    })
    .filter(({ until }) => now < until);
}

export function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/** Null: not a valid secret. Base64 decoding is lenient, so the text must equal its re-encoded form. */
export function parseSecret(text: string): KeyObject | null {
  const key = decodeSecret(text);
  const isWhole = text === SECRET_PREFIX + key.toString('base64');
  return isWhole && key.length >= MIN_SECRET_BYTES && key.length <= MAX_SECRET_BYTES ? createSecretKey(key) : null;
}

type SignatureHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/** One signature per key. The time is that of the attempt; the id stays the same across retries. */
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
