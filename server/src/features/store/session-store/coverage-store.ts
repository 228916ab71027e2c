// SQL of sleeps for lists of users: when each device recorded one.
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

type SleepTimes = {
  readonly userId: UserId;
  readonly device: DeviceNumber;
  readonly startMs: number;
  readonly endMs: number;
};

const LIST_TIMES = statement(
  'list_sleep_times_of_users',
  `select s.user_id as "userId", s.device, (extract(epoch from s.start_at) * 1000)::float8 as "startMs",
          (extract(epoch from s.end_at) * 1000)::float8 as "endMs"
     from sleep_sessions s where s.user_id = any($1::uuid[]) and s.start_at >= $2 and s.start_at < $3`,
);

/** Sleeps of all devices that start in [fromMs, toMs). */
export function listSleepTimes(
  db: Queryable,
  users: readonly UserHandle[],
  fromMs: number,
  toMs: number,
): Promise<SleepTimes[]> {
  return db.query<SleepTimes>(LIST_TIMES, [users.map(({ userId }) => userId), new Date(fromMs), new Date(toMs)]);
}
