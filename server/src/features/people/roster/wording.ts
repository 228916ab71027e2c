// Wording shared by mails and hosted pages. Pure.

/** The data of a member that an organization can see. */
export const SHARED_DATA: readonly string[] = [
  'activity and workouts, such as steps, energy and heart rate',
  'sleep, with its stages',
  'vital signs and body measurements, such as blood oxygen, temperature and weight',
  'nutrition, where you log it',
  'scores computed from these data, and the devices the data come from',
];

/** Both formats use UTC, because the reader's time zone is not known. */
export function formatDeadline(at: Date): string {
  return `${formatDay(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

export function formatDay(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
