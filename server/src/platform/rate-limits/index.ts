export { createRateLimits, type RateLimits } from './rate-limits.ts';
export { createRedisLimiter } from './redis-limiter.ts';
