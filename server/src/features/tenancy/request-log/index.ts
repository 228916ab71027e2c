export { tidyRequestLogJob } from './jobs.ts';
export { listRequests, paceOfAccount, type RequestEntry, readLatency } from './list-requests.ts';
export { presentRequest, requestSchema } from './present-request.ts';
export { removeRequests } from './remove-requests.ts';
export { createRequestLog, type RequestLog } from './request-log.ts';
export { type RequestLogMetrics, registerRequestLogMetrics } from './request-log-metrics.ts';
export { requestRoutes } from './routes.ts';
export { readLastRequest, removeRequestsOf } from './store.ts';
