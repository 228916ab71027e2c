// The ID of the deployment, stored in its database.
import { randomUUID } from 'node:crypto';
import type { Database } from './db/database.ts';

/** Created on the first start. */
export async function readDeploymentId(db: Database): Promise<string> {
  await db.query('insert into deployment (id) values ($1) on conflict do nothing', [randomUUID()]);
  const [row] = await db.query<{ id: string }>('select id from deployment');
  if (!row) throw new Error('the deployment row is missing');
  return row.id;
}
