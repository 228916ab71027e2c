// Exports everything stored about one user: rows as stored, packed data decoded, and months as the API returns them.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { listSourceLabels } from '../../store/devices/index.ts';
import { listRequests } from '../../tenancy/request-log/index.ts';
import { openOwnUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import type { RosterMembership } from '../memberships/index.ts';
import { exportDays } from './export-days.ts';
import { type ExportServices, exportMonths } from './export-months.ts';
import { exportPayloads } from './export-payloads.ts';
import { exportSamples } from './export-samples.ts';
import { exportScores } from './export-scores.ts';
import { exportSleep, exportWorkouts } from './export-sessions.ts';
import { type ExportedTable, USER_TABLES } from './personal-tables.ts';
import { type Owner, readRows } from './store.ts';
import { writeList } from './write-list.ts';

export async function* exportUser(
  services: ExportServices,
  user: UserHandle,
  { organization, status }: RosterMembership,
  hasRaw: boolean,
): Pieces {
  const { db } = services;
  const nameDevice = await readDeviceNames(db, user);
  yield `{"organization":${JSON.stringify(organization)},"is_shared":${status !== 'removed'}`;
  yield* exportTables(db, USER_TABLES, { user });
  yield ',"api_requests":';
  yield* writeList(exportRequests(db, user));
  yield ',"scores":';
  yield* writeList(exportScores(db, user));
  yield ',"normalized":{"samples":';
  yield* writeList(exportSamples(db, user, nameDevice));
  yield ',"daily":';
  yield* writeList(exportDays(db, user, nameDevice));
  yield ',"sleep":';
  yield* writeList(exportSleep(db, user, nameDevice));
  yield ',"workouts":';
  yield* writeList(exportWorkouts(db, user, nameDevice));
  yield '},"canonical":';
  yield* writeList(exportMonths(services, user));
  yield ',"raw_payloads":';
  if (hasRaw) yield* writeList(exportPayloads(db, user, nameDevice));
  else yield 'null';
  yield '}';
  await requirePresent(services, user);
}

/** Writes one section per table. */
export async function* exportTables(db: Queryable, tables: readonly ExportedTable[], owner: Owner): Pieces {
  for (const table of tables) {
    yield `,"${table.section}":`;
    yield* writeList(listRows(db, table, owner));
  }
}

async function* listRows(db: Queryable, table: ExportedTable, owner: Owner): AsyncGenerator<string> {
  let after: readonly string[] | null = null;
  do {
    const page = await readRows(db, table, owner, after);
    yield* page.rows;
    after = page.after;
  } while (after !== null);
}

async function readDeviceNames(db: Queryable, user: UserHandle): Promise<(device: DeviceNumber) => object> {
  const labels = new Map((await listSourceLabels(db, user)).map((label) => [label.number, label]));
  return (device) => ({ device_id: labels.get(device)?.id ?? null, device, provider: labels.get(device)?.provider });
}

/** Fails the download if the user was erased while it was read, so that an incomplete file is not mistaken for a complete one. */
export async function requirePresent({ db }: Pick<Services, 'db'>, { tenant, userId }: UserHandle): Promise<void> {
  if ((await openOwnUser(db, tenant, userId)) === null) throw new Error('the user was erased during the export');
}

const CALLS_PER_PAGE = 200;

/** One JSON object per call, oldest first. */
async function* exportRequests(db: Queryable, { tenant, userId }: UserHandle): AsyncGenerator<string> {
  const scope = { account_id: tenant.accountId, environment: tenant.environment };
  let after = 0;
  for (;;) {
    const entries = await listRequests(db, tenant, { userId, after, limit: CALLS_PER_PAGE });
    for (const { userId: user_id, referenceId: _, credentialKind, credentialId, ...call } of entries) {
      const credential = { credential_kind: credentialKind, credential_id: credentialId };
      yield JSON.stringify({ ...scope, ...call, ...credential, user_id });
      after = call.seq;
    }
    if (entries.length < CALLS_PER_PAGE) return;
  }
}
