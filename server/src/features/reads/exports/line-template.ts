// Writes samples as lines of text. What all samples of a metric and device share is encoded once, not half a million times for a year
// of heart rate: a format describes one line with marks in place of what differs, and the text between the marks is kept as bytes.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import type { JsonWriter } from '../../../platform/json-writer.ts';
import { createTimeTemplate } from '../timeseries/index.ts';
import type { SampleParts } from './records.ts';
import { createSampleIdTemplate } from './stable-id.ts';

/** Marks that no text of the catalog or of a device contains. */
const ID = '\uffffid';
const START = '\uffffstart';
const END = '\uffffend';
const VALUE = Number.MIN_VALUE;
const MARKS = new RegExp(`(${ID}|${START}|${END}|${VALUE})`);

/** `nth` counts samples with the same start, from 0. */
type WriteLine = (writer: JsonWriter, startMs: number, endMs: number, value: number, nth: number) => void;
type Identity = { readonly userId: UserId; readonly metricId: MetricId };

/** `identity`: what the id of a sample is derived from, besides its start. */
export function createLineTemplate(describe: (parts: SampleParts) => string, identity: Identity): WriteLine {
  const marked = { id: ID, start: START, end: END, value: VALUE };
  const instant = compile(describe({ ...marked, isInstant: true }), identity);
  const interval = compile(describe({ ...marked, isInstant: false }), identity);
  return (writer, startMs, endMs, value, nth) =>
    (endMs === startMs ? instant : interval)(writer, startMs, endMs, value, nth);
}

function compile(text: string, identity: Identity): WriteLine {
  const pieces = text.split(MARKS);
  const rest = Buffer.from(pieces.at(-1) ?? '');
  const steps: WriteLine[] = [];
  for (let index = 0; index + 1 < pieces.length; index += 2)
    steps.push(createStep(pieces[index] ?? '', pieces[index + 1] ?? '', identity));
  return (writer, startMs, endMs, value, nth) => {
    for (let index = 0; index < steps.length; index += 1)
      (steps[index] as WriteLine)(writer, startMs, endMs, value, nth);
    writer.writeBytes(rest);
  };
}

/** Writes the text before a mark, and what the mark stands for. */
function createStep(before: string, mark: string, identity: Identity): WriteLine {
  if (mark === ID) {
    const idAfter = createSampleIdTemplate(before, identity.userId, identity.metricId);
    return (writer, startMs, _endMs, _value, nth) => writer.writeBytes(idAfter(startMs, nth));
  }
  if (mark === START || mark === END) {
    const timeAfter = createTimeTemplate(before, '');
    return (writer, startMs, endMs) => writer.writeBytes(timeAfter(mark === START ? startMs : endMs));
  }
  const bytes = Buffer.from(before);
  return (writer, _startMs, _endMs, value) => {
    writer.writeBytes(bytes);
    writer.writeNumber(value);
  };
}
