// Webhook signatures: Tink's ECDSA over P-256, as base64 of a 1, four bytes of key id, and the signature in DER.
// https://developers.google.com/health/webhooks https://developers.google.com/tink/wire-format
import { createPublicKey, verify } from 'node:crypto';
import { ProviderAnswerError, type PublicKeyRule } from '../contract.ts';
import { asObject, type JsonObject, readId, readList, readPart, readText, required } from '../read-json.ts';

const PREFIX = 1;
const PREFIX_BYTES = 5;
const COORDINATE_BYTES = 32;

/** `unknown`: not signed, or with a key that we do not have. */
export function checkSignature(
  sent: string | undefined,
  body: Uint8Array,
  keys: Readonly<Record<string, string>>,
): 'valid' | 'invalid' | 'unknown' {
  const bytes = Buffer.from(sent ?? '', 'base64');
  if (bytes.length === 0) return 'unknown';
  if (bytes[0] !== PREFIX || bytes.length <= PREFIX_BYTES) return 'invalid';
  const keyId = String(bytes.readUInt32BE(1));
  const jwk = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (jwk === undefined) return 'unknown';
  const key = createPublicKey({ key: JSON.parse(jwk), format: 'jwk' });
  return verify('sha256', body, key, bytes.subarray(PREFIX_BYTES)) ? 'valid' : 'invalid';
}

/** Keys rotate about monthly; the old and the new one overlap. */
export const GOOGLE_KEYS: PublicKeyRule = {
  request: {
    origin: 'keys',
    method: 'GET',
    path: '/googlehealthapi/webhooks/webhooks_public_keyset.json',
    as: 'nobody',
  },
  readKeys: ({ body }) =>
    Object.fromEntries(
      readList(asObject(body), 'key')
        .filter((key) => readText(key, 'status') === 'ENABLED')
        .map((key) => [required(readId(key, 'keyId'), 'keyId'), readKey(key)]),
    ),
};

/** As JWK. keyData.value: the message EcdsaPublicKey, with x and y as fields 3 and 4. */
function readKey(key: JsonObject): string {
  const value = required(readText(readPart(key, 'keyData') ?? {}, 'value'), 'keyData');
  const fields = readMessage(Buffer.from(value, 'base64'));
  const jwk = { kty: 'EC', crv: 'P-256', x: toCoordinate(fields.get(3)), y: toCoordinate(fields.get(4)) };
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new ProviderAnswerError('a public key cannot be read');
  }
  return JSON.stringify(jwk);
}

/** Integers have a sign byte: one byte more, or fewer. */
function toCoordinate(bytes: Buffer | undefined): string {
  const digits = bytes === undefined ? '' : bytes.toString('hex').replace(/^(00)+/, '');
  if (digits === '' || digits.length > 2 * COORDINATE_BYTES)
    throw new ProviderAnswerError('a public key cannot be read');
  return Buffer.from(digits.padStart(2 * COORDINATE_BYTES, '0'), 'hex').toString('base64url');
}

/** The bytes fields of a protocol buffer; numbers are skipped. Tags and lengths here are below 128. */
function readMessage(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const size = bytes[at + 1] ?? 0;
    if ((tag & 7) !== 2 && (tag & 7) !== 0) throw new ProviderAnswerError('a public key cannot be read');
    if ((tag & 7) === 2) fields.set(tag >> 3, bytes.subarray(at + 2, at + 2 + size));
    at += (tag & 7) === 2 ? 2 + size : 2;
  }
  return fields;
}
