export const RANGES = ['hour', 'day', 'week'] as const;
export type Range = (typeof RANGES)[number];
