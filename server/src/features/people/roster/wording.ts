// Words that mails and pages share. Pure.

/** What an organization sees of a member. */
export const SHARED_DATA: readonly string[] = [
  'activity and workouts, such as steps, energy and heart rate',
  'sleep, with its stages',
  'vital signs and body measurements, such as blood oxygen, temperature and weight',
  'nutrition, where you log it',
  'scores that are worked out from these, and which devices they come from',
];

/** In UTC, here and below, as the reader's zone is not known. */
export function formatDeadline(at: Date): string {
  return `${formatDay(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

export function formatDay(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
