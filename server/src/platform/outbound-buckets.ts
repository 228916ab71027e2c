// Histogram buckets, in seconds, for outbound requests up to their timeout.
export const OUTBOUND_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
