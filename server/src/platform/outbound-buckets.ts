// Seconds by which requests to others are counted, up to when they are given up.
export const OUTBOUND_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
