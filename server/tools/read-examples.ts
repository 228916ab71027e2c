// Reads the examples that server/test/golden/examples.test.ts recorded.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordedExamples } from '../src/platform/http/openapi-examples.ts';

const FOLDER = path.join(import.meta.dirname, '../test/golden/examples');

export function readExamples(): RecordedExamples {
  const read = (name: string) => JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));
  return { calls: read('calls'), errors: read('errors'), webhooks: read('webhooks') };
}
