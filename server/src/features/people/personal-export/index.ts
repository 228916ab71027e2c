// The personal data export: everything stored about a person, as one download.
export { exportDailyCsv } from './export-daily-csv.ts';
export { type ExportRequest, exportPerson } from './export-person.ts';
export { limitExport, type Refusal } from './limit-exports.ts';
