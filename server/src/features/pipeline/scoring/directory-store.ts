// SQL of scores for lists of users.
import type { UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type ScoreValues, toValues, VALUE_COLUMNS, type ValueRow } from './score-store.ts';

const READ_OF_USERS = statement(
  'read_scores_of_users',
  `select user_id, date::text as date, ${VALUE_COLUMNS} from scores where user_id = any($1::uuid[]) and date between $2 and $3`,
);

/** By user and date. */
export async function readScoresOfUsers(
  db: Queryable,
  users: readonly UserHandle[],
  from: LocalDate,
  to: LocalDate,
): Promise<Map<UserId, Map<LocalDate, ScoreValues>>> {
  const ids = users.map(({ userId }) => userId);
  const rows = await db.query<ValueRow & { user_id: UserId }>(READ_OF_USERS, [ids, from, to]);
  const found = new Map<UserId, Map<LocalDate, ScoreValues>>(ids.map((id) => [id, new Map()]));
  for (const row of rows) found.get(row.user_id)?.set(row.date, toValues(row));
  return found;
}
