import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { concludeRun, createRunReport, reportPages, reportProblem, reportUrgency } from './run-report.ts';
import { URGENCY } from './sync-task.ts';

const range = (from: string, to: string) => ({ from: from as LocalDate, to: to as LocalDate });
const NONE = { cause: null, httpStatus: null, retryAt: null };

describe('the report of a sync run', () => {
  it('is empty if no task was run', () => {
    assert.equal(concludeRun(createRunReport()), null);
  });

  it('is empty if a task neither asked the provider nor stored anything', () => {
    const report = createRunReport();
    reportUrgency(report, URGENCY.webhook);
    assert.equal(concludeRun(report), null);
  });

  it('has the kind of its most urgent task', () => {
    const report = createRunReport();
    for (const urgency of [URGENCY.backfill, URGENCY.poll, URGENCY.backfill]) reportUrgency(report, urgency);
    report.isAnswered = true;
    assert.deepEqual(concludeRun(report), { kind: 'poll', outcome: 'unchanged', ...NONE });
  });

  it('adds up pages and joins their days', () => {
    const report = createRunReport();
    reportUrgency(report, URGENCY.poll);
    const steps = 'steps' as MetricId;
    reportPages(report, { records: 2, refused: 1, metrics: [steps], days: [range('2026-03-02', '2026-03-03')] });
    reportPages(report, { records: 1, refused: 0, metrics: [steps], days: [range('2026-03-01', '2026-03-01')] });
    assert.deepEqual([report.records, report.refused, [...report.metrics]], [3, 1, ['steps']]);
    assert.deepEqual(report.days, range('2026-03-01', '2026-03-03'));
    assert.equal(concludeRun(report)?.outcome, 'changed');
  });

  it('keeps a failure although the budget ended later', () => {
    const report = createRunReport();
    reportUrgency(report, URGENCY.backfill);
    reportProblem(report, { outcome: 'forbidden', cause: 'workouts', httpStatus: 403, retryAt: null });
    reportProblem(report, { outcome: 'no_budget', ...NONE });
    reportProblem(report, null);
    assert.deepEqual(concludeRun(report), {
      kind: 'backfill',
      outcome: 'forbidden',
      cause: 'workouts',
      httpStatus: 403,
      retryAt: null,
    });
  });
});
