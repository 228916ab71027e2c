// Where people of the sandbox fly to.

export const DESTINATIONS = [
  'Asia/Tokyo',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Dubai',
] as const;
