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
     from unnest($1::uuid[]) as u(id)
    cross join lateral (select * from sleep_sessions where user_id = u.id and start_at >= $2 and start_at < $3 offset 0) s`,
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
