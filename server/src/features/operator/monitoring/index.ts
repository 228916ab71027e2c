// Gauges of the whole service for /metrics.
export { createGaugeReader, type GaugeReader } from './refresh-gauges.ts';
export { registerServiceGauges, type ServiceGauges } from './service-gauges.ts';
