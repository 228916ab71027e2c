// A reporter for `node --test` that lists the slowest test files.
import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const LISTED_FILES = 20; // one screen; the other files take a few seconds each
const ROOT = path.resolve(import.meta.dirname, '../../..');

export default async function* reportSlowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { name: string; seconds: number }[] = [];
  for await (const { type, data } of events) {
    if ((type === 'test:pass' || type === 'test:fail') && isFileOfGroup(data.name))
      files.push({ name: data.name, seconds: data.details.duration_ms / 1_000 });
    if (type === 'test:summary' && data.file?.endsWith('.test.ts'))
      files.push({ name: path.relative(ROOT, data.file), seconds: data.duration_ms / 1_000 });
  }
  if (files.length < 2) return;
  files.sort((one, other) => other.seconds - one.seconds);
  const sum = files.reduce((seconds, file) => seconds + file.seconds, 0);
  yield `\nslowest of ${files.length} test files (${sum.toFixed(0)} s in total):\n`;
  for (const { name, seconds } of files.slice(0, LISTED_FILES)) yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`;
}

/** group-tests.ts runs a file as a test with its name. */
function isFileOfGroup(name: string): boolean {
  return name.endsWith('.test.ts');
}
