export { timeseriesRoutes } from './routes.ts';
export { listCanonicalSamples, type SampleGroup } from './stream-timeseries.ts';
export { createTimeTemplate } from './time-template.ts';
