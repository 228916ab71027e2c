// Writes the generated files that changed; with `--check` writes nothing and fails when one is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type GeneratedFile, generatedFiles } from './generated-files.ts';

export type Freshness = 'fresh' | 'stale' | 'unsteady';

/** `unsteady`: two runs in a row differ, so that it could never be fresh. Only `write` looks for it, and then writes nothing. */
export async function generateFile(root: string, file: GeneratedFile, mode: 'check' | 'write'): Promise<Freshness> {
  const target = path.join(root, file.path);
  const text = await file.make();
  if (text === (await readIfExists(target))) return 'fresh';
  if (mode === 'check') return 'stale';
  if (text !== (await file.make())) return 'unsteady';
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  return 'stale';
}

async function readIfExists(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const TELLS = {
  check: { fresh: null, stale: 'stale', unsteady: null },
  write: { fresh: 'unchanged', stale: 'written', unsteady: 'REFUSED: two runs in a row differ' },
};

async function main(mode: 'check' | 'write'): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const file of generatedFiles) {
    const freshness = await generateFile(root, file, mode);
    const tells = TELLS[mode][freshness];
    if (tells !== null) process.stdout.write(`${file.path}  ${tells}\n`);
    if (freshness === 'unsteady' || (freshness === 'stale' && mode === 'check')) process.exitCode = 1;
  }
  if (process.exitCode === 1 && mode === 'check') process.stdout.write('run: npm run generate\n');
}

if (import.meta.main) await main(process.argv.includes('--check') ? 'check' : 'write');
