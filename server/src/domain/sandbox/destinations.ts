// Destinations of simulated flights.

export const DESTINATIONS = [
  'Asia/Tokyo',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Dubai',
] as const;
