export { batchLines } from './bundle/batch-lines.ts';
export { type CheckedBundle, checkBundle, readBundle } from './bundle/check-bundle.ts';
export { isBundle, openBundle } from './bundle/open-bundle.ts';
export { bundleRoutes } from './bundle-routes.ts';
export type { CsvMapping } from './csv/column-mapping.ts';
export { type ImportFormat, type OpenedImport, openImport } from './open-import.ts';
export { importRoutes } from './routes.ts';
export { type ImportPosition, type ImportSummary, type Positions, runImport, startPosition } from './run-import.ts';
