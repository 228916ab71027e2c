// The built dashboard: a folder with the files that build.json lists. Builds it in another process if its sources changed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Logger } from '../../../platform/log.ts';

export type ServedFile = { readonly name: string; readonly bytes: Buffer; readonly encoding: Encoding | null };

type Encoding = 'br' | 'gzip';

export type DashboardFiles = {
  /** Null if it is not built. A path that is not a file is a page, which index.html shows. */
  readFile(path: string, acceptEncoding: string): Promise<ServedFile | 'missing' | null>;
  isBuilding(): boolean;
  /** Returns at once; the service runs while the build does. */
  buildIfStale(log: Logger): Promise<void>;
};

const START_PAGE = 'index.html';
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** `folder` is the workspace of the dashboard. */
export function createDashboardFiles(folder: string): DashboardFiles {
  const dist = path.join(folder, 'dist');
  const cache = new Map<string, Promise<Buffer>>();
  let builtFrom: string | null = null;
  let isBuilding = false;

  async function readBuild(): Promise<ReadonlySet<string> | null> {
    const text = await readFile(path.join(dist, 'build.json'), 'utf8').catch(() => null);
    if (text === null) return null;
    const { sources, files } = JSON.parse(text) as { sources: string; files: string[] };
    if (sources !== builtFrom) cache.clear();
    builtFrom = sources;
    return new Set(files);
  }

  function readCached(name: string): Promise<Buffer> {
    const bytes = cache.get(name) ?? readFile(path.join(dist, name));
    cache.set(name, bytes);
    bytes.catch(() => cache.delete(name));
    return bytes;
  }

  return {
    async readFile(requested, acceptEncoding) {
      const files = await readBuild();
      if (files === null) return null;
      const isFile = files.has(requested);
      if (!isFile && /^assets\/|\.\w+$/.test(requested)) return 'missing';
      const name = isFile ? requested : START_PAGE;
      const encoding = isCompressed(name) ? chooseEncoding(acceptEncoding) : null;
      return { name, encoding, bytes: await readCached(encoding === null ? name : `${name}${ENDINGS[encoding]}`) };
    },
    isBuilding: () => isBuilding,
    async buildIfStale(log) {
      const program = path.join(folder, 'tools/build.ts');
      if (!existsSync(program)) return; // a packaged release has no sources
      isBuilding = true;
      const output = await run(program);
      isBuilding = false;
      if (output !== null) log.error({ output }, 'the dashboard could not be built; run "npm run build"');
    },
  };
}

function isCompressed(name: string): boolean {
  return /\.(js|css|html|svg)$/.test(name);
}

function chooseEncoding(accepted: string): Encoding | null {
  const names = accepted.split(',').map((part) => part.trim().toLowerCase());
  const accepts = (wanted: string) =>
    names.some((name) => name === wanted || name.startsWith(`${wanted};q=0.`) || name.startsWith(`${wanted};q=1`));
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : null;
}

/** Null, or what the build printed when it failed. The build ends with the service, which does not wait for it. */
function run(program: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, '--if-stale'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => void child.kill();
    process.once('exit', end);
    child.unref();
    for (const output of [child.stdout, child.stderr]) (output as Socket).unref();
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => {
      process.off('exit', end);
      resolve(code === 0 ? null : Buffer.concat(chunks).toString('utf8'));
    });
  });
}
