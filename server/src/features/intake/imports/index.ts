export type { CsvMapping } from './csv/column-mapping.ts';
export { ImportError, importError } from './import-error.ts';
export { IMPORT_FORMATS, type ImportFormat, type OpenedImport, openImport } from './open-import.ts';
export { importRoutes } from './routes.ts';
export {
  type ImportCounts,
  type ImportPosition,
  type ImportSummary,
  type Positions,
  runImport,
  startPosition,
} from './run-import.ts';
