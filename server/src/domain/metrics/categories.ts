// The categories of metrics; all but scores can be granted to a phone as a scope.

export const SCOPES = ['activity', 'energy', 'body_composition', 'sleep', 'vitals', 'nutrition'] as const;
export type Scope = (typeof SCOPES)[number];

export const CATEGORIES = [...SCOPES, 'scores'] as const;
export type Category = (typeof CATEGORIES)[number];
