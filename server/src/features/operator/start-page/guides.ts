// Reads the guides from the folder docs.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../docs');

/** In the order of the list. */
const NAMES = [
  'connections',
  'sandbox',
  'simulator',
  'roster',
  'dashboard',
  'endpoints',
  'errors',
  'limits',
  'metrics',
  'sessions',
  'scores',
  'sports',
  'merge',
  'sync',
  'providers',
  'configuration',
  'operations',
  'benchmarks',
  'spec-gaps',
] as const;

export type Guide = { readonly name: string; readonly title: string; readonly text: string };

export async function listGuides(): Promise<Guide[]> {
  const guides = await Promise.all(NAMES.map(readGuide));
  return guides.filter((guide) => guide !== null);
}

/** Null: there is no such guide, or this installation has no docs. */
export async function readGuide(name: string): Promise<Guide | null> {
  if (!NAMES.some((known) => known === name)) return null;
  const text = await readFile(path.join(FOLDER, `${name}.md`), 'utf8').catch(() => null);
  return text === null ? null : { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
}
