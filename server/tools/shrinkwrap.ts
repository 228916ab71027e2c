// The lock file of the package: the part of package-lock.json that the service needs to run. `npm ci` in the unpacked package
// installs exactly these versions; `npm install` of the package as a dependency ignores it.

type LockEntry = {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
};
export type LockFile = {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockEntry>>;
};
type Manifest = LockEntry & { readonly name: string; readonly version: string };

const MODULES = 'node_modules/';

export function createShrinkwrap(lock: LockFile, manifest: Manifest) {
  const required = new Set<string>();
  const all = new Set<string>();
  visit(lock, '', manifest, required, false);
  visit(lock, '', manifest, all, true);
  const entries = [...all].sort().map((path) => [path, describe(lock, path, !required.has(path))] as const);
  const { name, version } = manifest;
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: Object.fromEntries([['', manifest], ...entries]),
  };
}

function visit(lock: LockFile, from: string, entry: LockEntry, found: Set<string>, optional: boolean): void {
  const names = [entry.dependencies, optional ? entry.optionalDependencies : {}].flatMap((part) =>
    Object.keys(part ?? {}),
  );
  for (const name of names) {
    const path = resolveModule(lock, from, name);
    if (found.has(path)) continue;
    found.add(path);
    visit(lock, path, lock.packages[path] ?? {}, found, optional);
  }
}

/** As Node resolves it: in the folder of the package that asks, else in the folders above. */
function resolveModule(lock: LockFile, from: string, name: string): string {
  const path = from === '' ? `${MODULES}${name}` : `${from}/${MODULES}${name}`;
  if (lock.packages[path] !== undefined) return path;
  if (from === '') throw new Error(`package-lock.json has no entry for ${name}: run npm install`);
  return resolveModule(lock, from.slice(0, from.lastIndexOf(MODULES)).replace(/\/$/, ''), name);
}

function describe(lock: LockFile, path: string, optional: boolean): LockEntry {
  const { dev: _dev, devOptional: _devOptional, optional: _optional, ...entry } = lock.packages[path] ?? {};
  return optional ? { ...entry, optional } : entry;
}
