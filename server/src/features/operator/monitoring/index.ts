// The state of the whole service, for /metrics and `tributary doctor`.
export { recordDatabaseSizeJob } from './jobs.ts';
export { createGaugeReader, type GaugeReader } from './refresh-gauges.ts';
export { monitoringRoutes } from './routes.ts';
export { registerServiceGauges, type ServiceGauges } from './service-gauges.ts';
