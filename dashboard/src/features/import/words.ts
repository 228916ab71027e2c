import { number, plural } from '../../shared/words/numbers.ts';

export const words = {
  title: 'Import a file',
  notLoaded: 'The import could not be loaded.',
  developersOnly: 'A developer can import files.',
  nothingYet: 'No file was imported for this user within a day.',
  file: 'File',
  fileHint:
    'Apple Health (export.zip or export.xml), Health Connect, Fitbit or Google Takeout, Garmin account export, FIT, TCX, GPX, CSV or a Tributary bundle; up to 4 GiB',
  timezone: 'Time zone of times without an offset',
  timezoneHint: (zone: string | null) =>
    zone === null ? 'For example Europe/Berlin' : `Default: ${zone}, of the user`,
  mapping: 'Columns of the CSV file, as JSON',
  mappingHint:
    'Only if the header does not name metrics, for example {"time": "When", "columns": {"Mass": {"metric": "weight", "unit": "kg"}}}',
  notJson: 'This is not a JSON object. Check quotes and brackets.',
  start: 'Import',
  busyElsewhere: 'Your account imports a file for another user. Wait until it has ended.',
  uploading: (name: string) => `Uploading ${name}`,
  reading: (name: string) => `Importing ${name}`,
  percent: (share: number) => `${Math.floor(share * 100)} %`,
  soFar: (records: number) => `${plural(records, 'record')} so far`,
  keepOpen: 'Keep this page open until the upload has ended. The import itself continues without it.',
  stalled: 'This upload was started on another page or was interrupted. Cancel it to start again.',
  cancel: 'Cancel',
  uploadFailed: 'The upload failed.',
  status: { done: 'Imported', failed: 'Failed', cancelled: 'Cancelled', uploading: 'Uploading', running: 'Running' },
  cancelled: 'The import was cancelled. Records that were stored before stay.',
  records: 'Records read',
  accepted: 'New or corrected',
  duplicates: 'Already stored',
  rejected: 'Not readable',
  sources: 'Sources',
  problems: 'What could not be read',
  moreProblems: (count: number) => `and ${number(count)} more`,
  skipped: 'Without a metric in the catalog',
  lastImport: 'Last import',
};
