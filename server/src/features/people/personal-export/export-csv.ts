// A person's data as a table for spreadsheets: daily values, sleep or workouts, from every organization.

import { type CsvCell, formatCsv } from '../../../platform/csv.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { joinPieces, type Pieces } from '../../reads/exports/index.ts';
import { openOwnUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import { DAILY_COLUMNS, listDailyRows } from './csv-daily.ts';
import { listSleepRows, listWorkoutRows, SLEEP_COLUMNS, WORKOUT_COLUMNS } from './csv-sessions.ts';
import type { ExportRequest } from './export-person.ts';
import { requirePresent } from './export-user.ts';

type Rows = AsyncIterable<readonly (readonly CsvCell[])[]>;
type Table = { readonly columns: readonly string[]; listRows(db: Database, user: UserHandle): Rows };

type CsvKind = 'daily' | 'sleep' | 'workouts';

const TABLES: Readonly<Record<CsvKind, Table>> = {
  daily: { columns: DAILY_COLUMNS, listRows: listDailyRows },
  sleep: { columns: SLEEP_COLUMNS, listRows: listSleepRows },
  workouts: { columns: WORKOUT_COLUMNS, listRows: listWorkoutRows },
};

/** Spreadsheets take a file without it for another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

export function findCsvKind(format: string | null): CsvKind | null {
  return format === 'daily' || format === 'sleep' || format === 'workouts' ? format : null;
}

export function exportCsv(services: Pick<Services, 'db'>, request: ExportRequest, kind: CsvKind): Pieces {
  return joinPieces(writeTable(services, request, kind));
}

async function* writeTable(services: Pick<Services, 'db'>, { memberships }: ExportRequest, kind: CsvKind): Pieces {
  const { db } = services;
  const { columns, listRows } = TABLES[kind];
  yield `${BYTE_ORDER_MARK}${formatCsv([['organization', ...columns]])}`;
  for (const { tenant, userId, organization } of memberships) {
    const own = await openOwnUser(db, tenant, userId);
    if (own === null) continue;
    for await (const rows of listRows(db, own.handle)) yield formatCsv(rows.map((row) => [organization, ...row]));
    await requirePresent(services, own.handle);
  }
}
