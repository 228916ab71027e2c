// `npm run build` builds the dashboard into dashboard/dist. With --if-stale it does nothing if dist was built from these sources.
// It builds into a folder of its own and renames it, so that a running service never serves half a build.
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { replaceFolder } from './replace-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
const SOURCES = ['index.html', 'vite.config.ts', 'package.json', 'public/**/*', 'src/**/*'];
/** The files that the service serves, and their sources. */
const BUILD_FILE = 'build.json';
const COMPRESSED = /\.(js|css|html|svg)$/;

async function main(options: readonly string[]): Promise<void> {
  const sources = await hashSources();
  if (options.includes('--if-stale') && (await readBuiltFrom()) === sources) return;
  const { build } = await import('vite');
  const folder = await mkdtemp(path.join(ROOT, 'dist-'));
  try {
    await build({ root: ROOT, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    const files = listFiles(folder);
    for (const file of files.filter((name) => COMPRESSED.test(name))) await compress(path.join(folder, file));
    await writeFile(path.join(folder, BUILD_FILE), JSON.stringify({ sources, files }));
    await replaceFolder(folder, DIST, async () => (await readBuiltFrom()) === sources);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    hash
      .update(path.relative(ROOT, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex');
}

async function readBuiltFrom(): Promise<string | null> {
  const text = await readFile(path.join(DIST, BUILD_FILE), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as { sources: string }).sources;
}

function listFiles(folder: string): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  await writeFile(`${file}.br`, brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }));
}

await main(process.argv.slice(2));
