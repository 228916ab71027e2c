// `npm run package` writes tributary-x.y.z.tgz, which runs after `npm install` in an empty folder. It contains the
// program as bundled JavaScript, because Node strips no types inside node_modules, in the layout of the repository.

import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { createShrinkwrap, type LockFile } from './shrinkwrap.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'docs/*.md',
  'docs/*.svg',
  'docs/openapi.json',
  'deploy/**/*',
  'server/launch.js',
  'server/resolve-sources.js',
  'server/migrations/*.sql',
  'server/src/**/*.{ico,css,js}',
  'dashboard/dist/**/*',
];
const ENTRY = 'server/tributary.js';
/** Returns the file. `folder` is the folder to write it to. */
export async function buildPackage(folder: string): Promise<string> {
  const stage = await mkdtemp(path.join(tmpdir(), 'tributary-package-'));
  try {
    await run(process.execPath, [path.join(ROOT, 'dashboard/tools/build.ts'), '--if-stale'], { cwd: ROOT });
    await bundleProgram(path.join(stage, 'server/src'), 'beside');
    await copyFiles(stage);
    await writeEntry(stage);
    await writeManifests(stage);
    return await pack(stage, folder);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function copyFiles(stage: string): Promise<void> {
  for (const pattern of COPIED) {
    let count = 0;
    for await (const entry of glob(pattern, { cwd: ROOT, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const name = path.relative(ROOT, path.join(entry.parentPath, entry.name));
      await mkdir(path.dirname(path.join(stage, name)), { recursive: true });
      await cp(path.join(ROOT, name), path.join(stage, name));
      count++;
    }
    if (count === 0) throw new Error(`${pattern} matches no file`);
  }
}

async function writeEntry(stage: string): Promise<void> {
  const source = await readFile(path.join(ROOT, ENTRY), 'utf8');
  const compiled = source.replace(`import('./src/main.ts')`, `import('./src/main.js')`);
  if (compiled === source) throw new Error(`${ENTRY} does not import ./src/main.ts`);
  await writeFile(path.join(stage, ENTRY), `#!/usr/bin/env node\n${compiled}`, { mode: 0o755 });
}

async function writeManifests(stage: string): Promise<void> {
  const [root, server, lock] = await Promise.all(
    ['package.json', 'server/package.json', 'package-lock.json'].map(readJson),
  );
  const manifest = {
    name: root.name,
    version: root.version,
    description: root.description,
    license: root.license,
    type: 'module',
    bin: { tributary: ENTRY },
    engines: { node: '>=18', npm: root.engines.npm },
    dependencies: server.dependencies,
    optionalDependencies: { ...root.optionalDependencies, ...server.optionalDependencies },
    overrides: root.overrides,
  };
  await writeJson(path.join(stage, 'package.json'), manifest);
  await writeJson(path.join(stage, 'server/package.json'), { version: server.version, type: 'module', private: true });
  await writeJson(path.join(stage, 'npm-shrinkwrap.json'), createShrinkwrap(lock as LockFile, manifest));
}

async function pack(stage: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: stage,
    maxBuffer: 64 * 1024 * 1024,
  });
  const report = JSON.parse(stdout);
  const [{ filename }] = Array.isArray(report) ? report : Object.values(report);
  return path.join(folder, filename);
}

async function readJson(name: string) {
  return JSON.parse(await readFile(path.join(ROOT, name), 'utf8'));
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.main) process.stdout.write(`${path.relative(process.cwd(), await buildPackage(process.cwd()))}\n`);
