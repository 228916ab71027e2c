// What makes one database one deployment: its id, and which master key its secrets were sealed with.

import { randomUUID } from 'node:crypto';
import type { MasterKey } from './crypto/master-key.ts';
import type { Database } from './db/database.ts';
import { ErrorForPeople } from './error-for-people.ts';

export class WrongMasterKeyError extends ErrorForPeople {}

/** Returns the deployment's id, making it on the first start; refuses a key that could not open what is stored. */
export async function openDeployment(db: Database, masterKey: MasterKey): Promise<string> {
  await db.query('insert into deployment (id, master_key) values ($1, $2) on conflict do nothing', [
    randomUUID(),
    masterKey.fingerprint,
  ]);
  const [row] = await db.query<{ id: string; master_key: string }>('select id, master_key from deployment');
  if (!row) throw new Error('the deployment row is missing');
  if (row.master_key !== masterKey.fingerprint) {
    throw new WrongMasterKeyError(
      `This database was set up with another master key (${row.master_key}, not ${masterKey.fingerprint}). ` +
        'Set TRIBUTARY_MASTER_KEY to the original key, or put the original master.key file back into the data folder.',
    );
  }
  return row.id;
}
