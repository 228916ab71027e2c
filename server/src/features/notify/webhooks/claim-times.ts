// How long a dispatcher holds the deliveries it claimed.

/** Longer than an attempt including its bookkeeping. When a dispatcher dies, its claims expire after this time. */
export const CLAIM_MS = 30_000;

/** A claimed delivery that has not started by then is released, so a deleted or paused webhook gets no attempt after this. */
export const BEGIN_WITHIN_MS = 1_000;
