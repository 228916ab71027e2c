export { createRateLimits, type RateLimits } from './rate-limits.ts';
