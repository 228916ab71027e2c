// Hashes passwords with argon2id. The parameters are stored with each hash, so that they can be raised later.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { isSameSecret } from '../../../platform/crypto/is-same-secret.ts';
import { createFairShares } from '../../../platform/fair-shares.ts';

type Parameters = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };
type StoredHash = { readonly parameters: Parameters; readonly salt: Buffer; readonly hash: Buffer };

/** OWASP's first choice: about 120 ms on one core. */
const CURRENT: Parameters = { memoryKib: 19 * 1024, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Two at a time, so that sign-ins cannot take all threads and memory; with 50 waiting, the last one waits some seconds. A third is for
 * known browsers, so that strangers cannot fill the queue of members.
 */
const hashing = createFairShares({ atOnce: 3, perAccount: 2, waitingPerAccount: 50 });
type Queue = 'anyone' | 'known browsers';
const runArgon2 = promisify(argon2);

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, CURRENT, HASH_BYTES, 'anyone');
  const { memoryKib, passes, lanes } = CURRENT;
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${encode(salt)}$${encode(hash)}`;
}

export async function isPassword(stored: string, password: string, queue: Queue = 'anyone'): Promise<boolean> {
  const { parameters, salt, hash } = parseHash(stored);
  return isSameSecret(hash, await derive(password, salt, parameters, hash.length, queue));
}

/** Takes as long as `isPassword`, so that an unknown email address cannot be recognized by the time of the reply. */
export async function checkNoPassword(password: string): Promise<void> {
  await derive(password, Buffer.alloc(SALT_BYTES), CURRENT, HASH_BYTES, 'anyone');
}

/** Whether the hash was made with weaker parameters than those in use now. */
export function isOutdated(stored: string): boolean {
  const { memoryKib, passes, lanes } = parseHash(stored).parameters;
  return memoryKib < CURRENT.memoryKib || passes < CURRENT.passes || lanes !== CURRENT.lanes;
}

function derive(
  password: string,
  nonce: Buffer,
  parameters: Parameters,
  tagLength: number,
  queue: Queue,
): Promise<Buffer> {
  const { memoryKib: memory, passes, lanes: parallelism } = parameters;
  // Normalized, because keyboards compose the same character differently.
  const message = Buffer.from(password.normalize('NFKC'));
  return hashing.run(queue, () => runArgon2('argon2id', { message, nonce, parallelism, tagLength, memory, passes }));
}

function parseHash(stored: string): StoredHash {
  const [, memory, passes, lanes, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('not an argon2id hash');
  return {
    parameters: { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
