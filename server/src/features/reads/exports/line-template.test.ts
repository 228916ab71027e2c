import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetricOrThrow, METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { observeSample } from './fhir-observations.ts';
import { createLineTemplate } from './line-template.ts';
import { pointOfSample } from './omh-data-points.ts';
import type { Origin } from './records.ts';
import { createSampleIdTemplate } from './stable-id.ts';
import { describeCsv, describeNdjson } from './write-sample-lines.ts';

const USER = '019a1234-0000-7000-8000-00000000000a' as UserId;
const START = Date.parse('2026-03-28T23:59:59Z');
const FORMATS: Readonly<Record<string, typeof describeNdjson>> = {
  ndjson: describeNdjson,
  csv: describeCsv,
  fhir: (...sample) => `${JSON.stringify(observeSample(USER, ...sample))}\n`,
  omh: (...sample) => `${JSON.stringify(pointOfSample(USER, ...sample))}\n`,
};
const ORIGINS: readonly Origin[] = [
  { provider: 'apple_health', device_id: '019a1234-0000-7000-8000-00000000000b' },
  { provider: 'tributary', device_id: null },
  { provider: 'say "hi", \\ µ 漢字 💓\n', device_id: '$& $1' },
];
const VALUES = [0, -0, 61, -3, -0.25, 0.1 + 0.2, 1e21, 1e-7, 1.7976931348623157e308, 2 ** 31, -(2 ** 31), 5e-324];
const TIMES: readonly (readonly [startMs: number, endMs: number])[] = [
  [START, START],
  [START, START + 60_000],
  [START + 7, START + 1_000],
  [START + 3_600_000, START + 3_600_001],
  [-1, 0],
  [0, 0],
];

function compare(format: string, id: string, origin: Origin, values: readonly number[]): void {
  const metric = getMetricOrThrow(id as MetricId);
  const describeLine = FORMATS[format];
  assert.ok(describeLine);
  const writer = new JsonWriter();
  const writeLine = createLineTemplate((parts) => describeLine(metric, origin, parts), {
    userId: USER,
    metricId: metric.id,
  });
  const expected = TIMES.flatMap(([startMs, endMs]) =>
    values.map((value) => {
      writeLine(writer, startMs, endMs, value, 2);
      const times = { start: formatInstant(new Date(startMs)), end: formatInstant(new Date(endMs)) };
      const sampleId = createSampleIdTemplate('', USER, id)(startMs, 2).toString();
      return describeLine(metric, origin, { id: sampleId, ...times, isInstant: startMs === endMs, value });
    }),
  );
  assert.equal(writer.takeText(), expected.join(''), id);
}

describe('createLineTemplate', () => {
  for (const format of Object.keys(FORMATS)) {
    it(`writes the line that ${format} describes, for odd texts, times and values`, () => {
      for (const origin of ORIGINS)
        for (const id of ['heart_rate', 'steps', 'skin_temperature']) compare(format, id, origin, VALUES);
    });

    it(`writes the line that ${format} describes, for every metric`, () => {
      for (const { id } of METRICS) compare(format, id, ORIGINS[0] as Origin, [61.5]);
    });
  }
});
