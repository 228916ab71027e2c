import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vector } from './vector.ts';

const FOLDER = join(import.meta.dirname, '..');

export function readVectors(): Vector[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Vector);
}
