// How long a dispatcher holds the deliveries it claimed.

/** When a dispatcher dies, its claims expire after this time. Claims of attempts that take longer are renewed. */
export const DELIVERY_CLAIM_MS = 12_000;
export const RENEW_EVERY_MS = 3_000;

/** A claimed delivery that has not started by then is released, so a deleted or paused webhook gets no attempt after this. */
export const BEGIN_WITHIN_MS = 1_000;
