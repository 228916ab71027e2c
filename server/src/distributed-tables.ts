// How `tributary migrate --distribute` places tables on the nodes of a Citus cluster. Every statement on a distributed table names
// its user (server/tools/check-distributed.ts), so that one node answers it.

/** By user_id, co-located: all rows of a user are on one node. */
export const DISTRIBUTED_TABLES = [
  'daily_months',
  'data_locks',
  'device_months',
  'observed_max_heart_rates',
  'raw_payloads',
  'sample_blocks',
  'score_inputs',
  'scores',
  'sleep_sessions',
  'uploads',
  'workout_routes',
  'workouts',
] as const;

/**
 * Stays on the coordinator. Every transaction that changes health data also changes the user's row, and so commits in two phases: on the
 * coordinator and the node together.
 */
export const COORDINATED_TABLE = 'users';
