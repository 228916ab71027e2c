// Writes the generated files that changed; with `--check` it writes nothing and fails when one is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { providerRegistries } from './generate-provider-registries.ts';
import type { GeneratedFile } from './generated-file.ts';

type Freshness = 'fresh' | 'stale' | 'unsteady';

/** `unsteady`: two runs differ, so the file would always be stale. Only `write` detects it, and writes nothing then. */
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

const STATUS_TEXTS = {
  check: { fresh: null, stale: 'stale', unsteady: null },
  write: { fresh: 'unchanged', stale: 'written', unsteady: 'REFUSED: the text differs between two runs' },
};

async function main(mode: 'check' | 'write'): Promise<void> {
  await generateFiles(providerRegistries, mode);
  // Makes the other files from the code, which imports the registries.
  const { generatedFiles } = await import('./generated-files.ts');
  await generateFiles(generatedFiles, mode);
  if (process.exitCode === 1 && mode === 'check') process.stdout.write('run: npm run generate\n');
}

async function generateFiles(files: readonly GeneratedFile[], mode: 'check' | 'write'): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const file of files) {
    const freshness = await generateFile(root, file, mode);
    const text = STATUS_TEXTS[mode][freshness];
    if (text !== null) process.stdout.write(`${file.path}  ${text}\n`);
    if (freshness === 'unsteady' || (freshness === 'stale' && mode === 'check')) process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.includes('--check') ? 'check' : 'write');
