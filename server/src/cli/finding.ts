// One result of `tributary doctor`.
import { countOf } from './count-of.ts';

export type Finding = {
  readonly check: string;
  readonly ok: boolean;
  /** It works, but should be changed. */
  readonly isWarning?: boolean;
  readonly found: string;
  readonly fix?: string;
};

export function warning(check: string, found: string, fix: string): Finding {
  return { check, ok: true, isWarning: true, found, fix };
}

/** The last line of the report. */
export function summarizeFindings(findings: readonly Finding[]): string {
  const failed = findings.filter(({ ok }) => !ok).length;
  const warnings = findings.filter(({ isWarning }) => isWarning === true).length;
  const noted = warnings === 0 ? '' : `, with ${countOf(warnings, 'warning')}`;
  return failed === 0
    ? `All checks passed${noted}.`
    : `${failed} of ${countOf(findings.length, 'check')} failed${noted}.`;
}
