// The personal data export: everything stored about a person, as one download.
export { exportCsv, findCsvKind } from './export-csv.ts';
export type { ExportServices } from './export-months.ts';
export { type ExportRequest, exportPerson } from './export-person.ts';
export { type ExportRefusal, limitExport } from './limit-exports.ts';
