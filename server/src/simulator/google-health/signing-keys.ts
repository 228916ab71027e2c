// The keys that sign webhooks, in Tink's format: ECDSA over P-256 with SHA-256, signatures in DER.
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { SimulatedRoute } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import { replyJson } from '../reply-json.ts';

/** Keys rotate every month; the previous one stays published for a while. */
const KEYS = ['current', 'former'] as const;
type KeyName = (typeof KEYS)[number];

const TINK_PREFIX = 1;
const TYPE_URL = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
/** The parameters of EcdsaPublicKey: SHA256, NIST_P256 and DER. */
const PARAMETERS = Buffer.from([0x12, 6, 0x08, 3, 0x10, 2, 0x18, 2]);
const X_TAG = 0x1a;
const Y_TAG = 0x22;

export const keysRoute: SimulatedRoute = {
  method: 'GET',
  path: '/googlehealthapi/webhooks/webhooks_public_keyset.json',
  access: 'anyone',
  answer: ({ context }) =>
    replyJson(200, {
      primaryKeyId: openKey(context, 'current').id,
      key: KEYS.map((name) => openKey(context, name)).map(({ id, x, y }) => ({
        keyData: { typeUrl: TYPE_URL, value: writePublicKey(x, y), keyMaterialType: 'ASYMMETRIC_PUBLIC' },
        status: 'ENABLED',
        keyId: id,
        outputPrefixType: 'TINK',
      })),
    }),
};

/** Base64 of the prefix, four bytes of key id, and the signature. */
export function signBody(context: ProviderContext, body: string): string {
  const { id, privateKey } = openKey(context, 'current');
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(TINK_PREFIX);
  prefix.writeUInt32BE(id, 1);
  return Buffer.concat([prefix, sign('sha256', Buffer.from(body), privateKey)]).toString('base64');
}

type SigningKey = { readonly id: number; readonly x: Buffer; readonly y: Buffer; readonly privateKey: KeyObject };

/** Derived from the simulator's key, so that it is the same after a restart. */
function openKey(context: ProviderContext, name: KeyName): SigningKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(context.derive(`signing key ${name}`));
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const text = (bytes: Buffer) => bytes.toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', d: text(pair.getPrivateKey()), x: text(x), y: text(y) };
  const id = context.derive(`id of signing key ${name}`).readUInt32BE();
  return { id, x, y, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** Integers are signed in Tink, so each begins with a zero byte. */
function writePublicKey(x: Buffer, y: Buffer): string {
  const field = (tag: number, value: Buffer) => Buffer.concat([Buffer.from([tag, value.length + 1, 0]), value]);
  return Buffer.concat([PARAMETERS, field(X_TAG, x), field(Y_TAG, y)]).toString('base64');
}
