// When to check a quota that is too expensive to check with each addition. By chance rather than by a count: a count per user
// takes memory for every user, is lost with a restart, and stays behind when a transaction rolls back.

/**
 * True on average once per `step` that is added, and always for a whole step. A user with many small additions exceeds the quota
 * by one step on average, and by ten steps once in 20,000 times.
 */
export function isQuotaCheckDue(added: number, step: number, random: () => number = Math.random): boolean {
  return random() * step < added;
}
