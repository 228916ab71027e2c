// Writes samples as lines of text. What all samples of a metric and device share is encoded once, not half a million times for a year
// of heart rate: a format describes one line with marks in place of what differs, and the text between the marks is kept as bytes.
import type { JsonWriter } from '../../../platform/json-writer.ts';
import { createTimeTemplate } from '../timeseries/index.ts';
import type { SampleParts } from './records.ts';
import { createIdTemplate } from './stable-id.ts';

/** Marks that no text of the catalog or of a device contains. */
const ID = '\uffffid';
const START = '\uffffstart';
const END = '\uffffend';
const VALUE = Number.MIN_VALUE;
const MARKS = new RegExp(`(${ID}|${START}|${END}|${VALUE})`);

type WriteLine = (writer: JsonWriter, startMs: number, endMs: number, value: number) => void;

/** `identity`: what the id of a sample is derived from, besides its start. */
export function createLineTemplate(describe: (parts: SampleParts) => string, identity: readonly string[]): WriteLine {
  const marked = { id: ID, start: START, end: END, value: VALUE };
  const instant = compile(describe({ ...marked, isInstant: true }), identity);
  const interval = compile(describe({ ...marked, isInstant: false }), identity);
  return (writer, startMs, endMs, value) => (endMs === startMs ? instant : interval)(writer, startMs, endMs, value);
}

function compile(text: string, identity: readonly string[]): WriteLine {
  const pieces = text.split(MARKS);
  const rest = Buffer.from(pieces.at(-1) ?? '');
  const steps: WriteLine[] = [];
  for (let index = 0; index + 1 < pieces.length; index += 2)
    steps.push(createStep(pieces[index] ?? '', pieces[index + 1] ?? '', identity));
  return (writer, startMs, endMs, value) => {
    for (let index = 0; index < steps.length; index += 1) (steps[index] as WriteLine)(writer, startMs, endMs, value);
    writer.writeBytes(rest);
  };
}

/** Writes the text before a mark, and what the mark stands for. */
function createStep(before: string, mark: string, identity: readonly string[]): WriteLine {
  if (mark === ID) {
    const idAfter = createIdTemplate(before, ...identity);
    return (writer, startMs) => writer.writeBytes(idAfter(startMs));
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
