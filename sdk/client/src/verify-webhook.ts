// Verifies deliveries, which are signed according to Standard Webhooks.
import { TributaryError } from './api-error.ts';
import type { Forms } from './operations.gen.ts';
import { loadCrypto } from './web-crypto.ts';

/** `test`: sent by the test call of a webhook. */
export type FeedEvent = Forms[2]['listEvents']['reply']['events'][number] & { readonly test?: boolean };

type HeaderValues = { readonly [name: string]: string | readonly string[] | undefined };

export type WebhookDelivery = {
  /** `whsec_…`; several while a secret is being replaced. */
  readonly secret: string | readonly string[];
  readonly headers: Headers | HeaderValues;
  /** The bytes as received: a parsed and rewritten body has another signature. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** How far the time of the delivery may be from now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Default: the clock. */
  readonly now?: Date;
};

export type VerificationFailure =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'expired'
  | 'wrong_signature'
  | 'invalid_body';

/** Not a delivery of this webhook: answer 400 and do nothing. */
export class WebhookVerificationError extends TributaryError {
  override name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300; // as the standard recommends
/** A sender never needs more; a limit keeps the work for a forged header small. */
const MAX_SIGNATURES = 10;

/** Returns the event, or throws a `WebhookVerificationError`. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<FeedEvent> {
  const id = readHeader(delivery.headers, 'webhook-id');
  const timestamp = readHeader(delivery.headers, 'webhook-timestamp');
  const signatures = parseSignatures(readHeader(delivery.headers, 'webhook-signature'));
  checkTime(timestamp, delivery);
  const body = toBytes(delivery.body);
  const message = joinBytes(toBytes(`${id}.${timestamp}.`), body);
  if (!(await isSigned(message, signatures, [delivery.secret].flat())))
    throw new WebhookVerificationError(
      'wrong_signature',
      'No signature matches. Check the secret, and pass the body unchanged.',
    );
  return parseEvent(body);
}

function readHeader(headers: Headers | HeaderValues, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findValue(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
}

/** Also those of another realm or package, such as undici or node-fetch. */
function isHeaders(headers: Headers | HeaderValues): headers is Headers {
  return typeof headers.get === 'function';
}

function findValue(headers: HeaderValues, name: string): string | undefined {
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === 'string' ? value : value?.[0];
}

function checkTime(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: WebhookDelivery,
): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp is not a time.');
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookVerificationError(
      'expired',
      `The delivery is ${Math.round(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'ahead'}. Check the clock of this machine.`,
    );
}

/** Of `v1,BASE64 v1,BASE64`; other versions are ignored. */
function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  const texts = header.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  return texts.slice(0, MAX_SIGNATURES).flatMap((text) => decodeBase64(text) ?? []);
}

/** `subtle.verify` compares in constant time. */
async function isSigned(
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const { subtle } = await loadCrypto();
  for (const secret of secrets) {
    const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
    if (bytes === null || bytes.length === 0) throw new TypeError('the secret must be the whsec_… of the webhook');
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) if (await subtle.verify('HMAC', key, signature, message)) return true;
  }
  return false;
}

function parseEvent(body: Uint8Array): FeedEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON.');
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function toBytes(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
