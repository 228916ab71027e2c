export { tidyRequestLogJob } from './jobs.ts';
export { presentRequest, requestSchema } from './present-request.ts';
export { removeRequestsOf } from './removal-store.ts';
export { createRequestLog, type RequestLog } from './request-log.ts';
export { type RequestLogMetrics, registerRequestLogMetrics } from './request-log-metrics.ts';
export { requestRoutes } from './routes.ts';
export { listRequests, type RequestEntry, readLastRequest, readLatency, removeRequests } from './store.ts';
