// How long a delivery stays in the hands of the dispatcher that claimed it.

/** Longer than an attempt takes with all that surrounds it; a dispatcher that dies loses its claims by this. */
export const CLAIM_MS = 30_000;

/** What is not begun by then is put back: so a webhook that is deleted or paused is quiet after this time at the latest. */
export const BEGIN_WITHIN_MS = 1_000;
