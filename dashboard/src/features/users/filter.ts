export const FILTERS = ['attention', 'no_data', 'overrides'] as const;
export type Filter = (typeof FILTERS)[number];
