// The result of an import as text.
import type { ImportSummary } from '../features/intake/imports/index.ts';
import { countOf } from './count-of.ts';

export function describeSummary(summary: ImportSummary, format: string, isDryRun: boolean): string {
  const { records, accepted, duplicates, rejected, sources, skipped, problems, routesNotKept = 0 } = summary;
  const count = (value: number) => value.toLocaleString('en');
  const isRepeated = !isDryRun && accepted === 0 && duplicates > 0;
  const lines = [
    `${isDryRun ? 'Checked' : 'Imported'} ${format}: ${countOf(records, 'record')} of ${countOf(sources.size, 'source')}.`,
    `  ${isDryRun ? 'valid' : 'new or corrected'}: ${count(accepted)}`,
    `  ${isDryRun ? 'repeated in the file' : 'already stored'}: ${count(duplicates)}`,
    ...(isRepeated ? ['  Nothing was new: these records were imported before.'] : []),
    `  rejected: ${count(rejected)}`,
    ...problems.map((problem) => `    ${problem}`),
    ...(rejected > problems.length && problems.length > 0 ? [`    and ${count(rejected - problems.length)} more`] : []),
    ...(routesNotKept === 0
      ? []
      : [`  without route and laps, because the account does not keep them: ${count(routesNotKept)}`]),
    ...(skipped.size === 0 ? [] : ['  without a metric in the catalog:']),
    ...[...skipped].map(([what, times]) => `    ${what}: ${count(times)}`),
  ];
  return `${lines.join('\n')}\n`;
}
