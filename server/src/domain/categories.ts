// The categories of metrics; all but scores can be granted to a phone as a scope.

export const SCOPES = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition'] as const;
export type Scope = (typeof SCOPES)[number];
