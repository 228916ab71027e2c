// How `tributary migrate --distribute` places tables on the nodes of a Citus cluster. Every statement on a distributed table names
// its user (server/tools/check-distributed.ts), so that one node answers it.

/** By user_id, co-located: all rows of a user are on one node. */
const DISTRIBUTED = [
  'daily_months',
  'data_locks',
  'device_months',
  'observed_max_heart_rates',
  'raw_payloads',
  'sample_blocks',
  'score_inputs',
  'scores',
  'session_uploads',
  'sleep_sessions',
  'uploads',
  'workout_routes',
  'workouts',
] as const;

/**
 * Stay on the coordinator. A group of uploads uses no other of its tables, so that it can run on the node of its data, except where a source changed
 * its class and a job is queued: that group fails there and is stored on the coordinator. Every transaction that changes health data also changes the
 * user's row, and so commits in two phases: on the coordinator and the node together.
 */
const SHARED = ['devices', 'event_outbox', 'scoring_queue', 'user_zones', 'users'] as const;

export const CITUS_LAYOUT = { distributed: DISTRIBUTED, shared: SHARED };
