// Generates docs/decisions/README.md: the list of decisions, from their headings.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GENERATED_HEADER } from './generate-pages.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/decisions');
const DECISION = /^\d{4}-.+\.md$/;
const HEADING = /^# (\d+)\. (.+)$/m;

export async function writeDecisionsPage(): Promise<string> {
  const files = (await readdir(FOLDER)).filter((name) => DECISION.test(name)).sort();
  return [
    '# Decisions',
    '',
    GENERATED_HEADER,
    '',
    'Each page says why a part of the service is built as it is: the context, the decision, what was rejected, and the consequences. Read the page',
    'before you change that part. Decisions about the behaviour of the API are in [spec-gaps.md](../spec-gaps.md).',
    '',
    ...(await Promise.all(files.map(listDecision))),
    '',
  ].join('\n');
}

async function listDecision(file: string): Promise<string> {
  const [, number, title] = HEADING.exec(await readFile(path.join(FOLDER, file), 'utf8')) ?? [];
  if (number === undefined) throw new Error(`docs/decisions/${file} has no heading such as "# 24. Title"`);
  return `${number}. [${title}](${file})`;
}
