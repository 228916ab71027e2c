export type { CsvMapping } from './csv/column-mapping.ts';
export { type ImportFormat, type OpenedImport, openImport } from './open-import.ts';
export { importRoutes } from './routes.ts';
export { type ImportPosition, type ImportSummary, type Positions, runImport, startPosition } from './run-import.ts';
