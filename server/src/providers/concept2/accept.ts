// Selects the version of the API; without it Concept2 may answer with a later one.

export const ACCEPT = { accept: 'application/vnd.c2logbook.v1+json' } as const;
