// Signs and verifies JWTs with rotating Ed25519 keys, which are stored in the database with encrypted private keys.

import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { DAY_MS, MINUTE_MS } from '../domain/time/durations.ts';
import type { Clock } from './clock.ts';
import type { SecretEnvelope } from './crypto/secret-envelope.ts';
import { type Database, type Queryable, statement } from './db/database.ts';
import { onFirstUse } from './on-first-use.ts';

type TokenClaims = {
  readonly subject: string;
  readonly tokenId: string;
  readonly accountId: string;
  readonly environment: string;
  /** ID of the API key that created the token; null in old tokens. */
  readonly keyId: string | null;
  /** When sharing last ended before the token was created; 0: never. */
  readonly sharedAfterMs: number;
};
export type TokenSigner = {
  sign(claims: TokenClaims, life: { readonly issuedAt: Date; readonly expiresAt: Date }): Promise<string>;
  /** 'expired' only if the signature is valid. */
  verify(token: string): Promise<(TokenClaims & { readonly expiresAt: Date }) | 'expired' | null>;
  listPublicKeys(): Promise<JWK[]>;
  /** Creates a new key when the newest is old, and removes keys that no valid token uses. Safe to call at any time. */
  rotate(): Promise<void>;
};

type KeyRow = { id: string; public_jwk: JWK; sealed_private_jwk: Buffer; created_at: Date };
type SigningKey = {
  readonly id: string;
  readonly publicJwk: JWK;
  readonly createdAt: Date;
  readonly secret: CryptoKey;
  readonly open: CryptoKey;
};

const ALGORITHM = 'EdDSA';
const TOKEN_TYPE = 'tributary-user+jwt';
const ROTATE_AFTER_MS = 30 * DAY_MS;
const PUBLISHED_BEFORE_USE_MS = 10 * MINUTE_MS; // a key is published before it signs, so that verifiers with a cache know it
const RELOAD_AFTER_MS = 60_000;
const RELOAD_UNKNOWN_AFTER_MS = 2_000; // forged key IDs must not cause a query each

const LIST_KEYS = statement(
  'list_signing_keys',
  'select id, public_jwk, sealed_private_jwk, created_at from signing_keys order by created_at',
);

/** When the newest signing key was created; null: no user token was issued yet. */
export async function readSigningKeyTime(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>('select max(created_at) as at from signing_keys');
  return row?.at ?? null;
}

/** Loaded with the first user token, because it needs 46 modules. */
const { get: loadJose } = onFirstUse(() => import('jose'));

export function createTokenSigner(options: {
  db: Database;
  secrets: SecretEnvelope;
  clock: Clock;
  deploymentId: () => string;
  /** How long the longest token is valid. */
  lifetimeMs: number;
}): TokenSigner {
  const { db, secrets, clock, lifetimeMs } = options;
  const keptAfterUseMs = 2 * lifetimeMs; // with time for clocks that differ
  const audienceOf = () => `urn:tributary:${options.deploymentId()}`;
  let keys: SigningKey[] = [];
  let loadedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<SigningKey[]> | null = null;

  async function load(maxAgeMs: number): Promise<SigningKey[]> {
    if (keys.length > 0 && clock.monotonicMs() - loadedMs < maxAgeMs) return keys;
    // Concurrent look-ups share one query.
    loading ??= reload().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function reload(): Promise<SigningKey[]> {
    let rows = await db.query<KeyRow>(LIST_KEYS);
    if (rows.length === 0) {
      await addKey(db, secrets, clock.now(), null);
      rows = await db.query<KeyRow>(LIST_KEYS);
    }
    keys = await Promise.all(rows.map((row) => openKey(row, secrets)));
    loadedMs = clock.monotonicMs();
    return keys;
  }

  return {
    async sign(claims, { issuedAt, expiresAt }) {
      const audience = audienceOf();
      const key = chooseSigningKey(await load(RELOAD_AFTER_MS), clock.now());
      const { SignJWT } = await loadJose();
      return new SignJWT({
        account: claims.accountId,
        environment: claims.environment,
        ...(claims.keyId === null ? {} : { key: claims.keyId }),
        ...(claims.sharedAfterMs > 0 ? { shared_after: claims.sharedAfterMs } : {}),
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE, kid: key.id })
        .setIssuer(audience)
        .setAudience(audience)
        .setSubject(claims.subject)
        .setJti(claims.tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key.secret);
    },
    async verify(token) {
      const { errors, jwtVerify } = await loadJose();
      try {
        const { payload } = await jwtVerify(token, (header) => findKey(header.kid, load), {
          algorithms: [ALGORITHM],
          typ: TOKEN_TYPE,
          issuer: audienceOf(),
          audience: audienceOf(),
          currentDate: clock.now(),
          requiredClaims: ['sub', 'jti', 'exp', 'account', 'environment'],
        });
        const { sub = '', jti = '', exp = 0, account, environment, key, shared_after = 0 } = payload;
        return {
          subject: sub,
          tokenId: jti,
          accountId: String(account),
          environment: String(environment),
          keyId: key === undefined ? null : String(key),
          sharedAfterMs: Number(shared_after),
          expiresAt: new Date(exp * 1000),
        };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
    listPublicKeys: async () => (await load(RELOAD_AFTER_MS)).map((key) => key.publicJwk),
    async rotate() {
      const current = await load(0);
      const now = clock.now();
      const newest = current.at(-1);
      if (newest && now.getTime() - newest.createdAt.getTime() > ROTATE_AFTER_MS)
        await addKey(db, secrets, now, newest.id);
      const signing = chooseSigningKey(current, now);
      if (now.getTime() - signing.createdAt.getTime() > PUBLISHED_BEFORE_USE_MS + keptAfterUseMs) {
        await db.query('delete from signing_keys where created_at < $1', [signing.createdAt]);
      }
      loadedMs = Number.NEGATIVE_INFINITY;
    },
  };
}

async function findKey(id: string | undefined, load: (maxAgeMs: number) => Promise<SigningKey[]>): Promise<CryptoKey> {
  const find = (keys: SigningKey[]) => keys.find((key) => key.id === id);
  const key = find(await load(RELOAD_AFTER_MS)) ?? find(await load(RELOAD_UNKNOWN_AFTER_MS));
  if (!key) throw new (await loadJose()).errors.JWKSNoMatchingKey();
  return key.open;
}

/** The newest key that has been published long enough; on the first day the only key. */
function chooseSigningKey(keys: readonly SigningKey[], now: Date): SigningKey {
  const published = keys.filter((key) => now.getTime() - key.createdAt.getTime() >= PUBLISHED_BEFORE_USE_MS);
  const key = published.at(-1) ?? keys[0];
  if (!key) throw new Error('no signing key');
  return key;
}

/** `after` is the previous key, so that only one of two concurrent rotations adds a key. */
async function addKey(db: Database, secrets: SecretEnvelope, now: Date, after: string | null): Promise<void> {
  const { exportJWK, generateKeyPair } = await loadJose();
  const id = randomUUID();
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: id, alg: ALGORITHM, use: 'sig' };
  const sealed = secrets.seal(JSON.stringify(await exportJWK(pair.privateKey)), `signing_keys/${id}`);
  await db.transaction(async (tx) => {
    await tx.query('lock table signing_keys in exclusive mode');
    await tx.query(
      `insert into signing_keys (id, public_jwk, sealed_private_jwk, created_at)
       select $1, $2, $3, $4 where (select id from signing_keys order by created_at desc limit 1) is not distinct from $5`,
      [id, JSON.stringify(publicJwk), sealed, now, after],
    );
  });
}

async function openKey(row: KeyRow, secrets: SecretEnvelope): Promise<SigningKey> {
  const { importJWK } = await loadJose();
  const privateJwk = JSON.parse(secrets.open(row.sealed_private_jwk, `signing_keys/${row.id}`)) as JWK;
  const [secret, open] = await Promise.all([importJWK(privateJwk, ALGORITHM), importJWK(row.public_jwk, ALGORITHM)]);
  if (secret instanceof Uint8Array || open instanceof Uint8Array)
    throw new Error('a signing key is not an Ed25519 key');
  return { id: row.id, publicJwk: row.public_jwk, createdAt: row.created_at, secret, open };
}
