// Decides when to check a quota that is too expensive to check on every addition. Random instead of counted: a counter per user
// needs memory for every user, is lost on restart, and is wrong after a rollback.

/**
 * True once per `step` on average, and always for a whole step. A user with many small additions exceeds the quota
 * by one step on average, and by ten steps once in 20,000 times.
 */
export function isQuotaCheckDue(added: number, step: number, random: () => number = Math.random): boolean {
  return random() * step < added;
}
