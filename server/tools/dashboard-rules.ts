// Checks the sources of the dashboard: which folder may import which, cycles of imports, the size of files, and exports that nobody uses.
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findCycles } from './find-cycles.ts';
import { MAX_FILE_LINES } from './import-rule-table.ts';
import { type Problem, reportProblems } from './report-problems.ts';

type Source = { readonly path: string; readonly text: string };
type Layer = 'app' | 'features' | 'shared' | 'api' | 'styles';

const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  app: ['app', 'features', 'shared', 'api', 'styles'],
  features: ['features', 'shared', 'api'],
  shared: ['shared', 'api'],
  api: ['api'],
  styles: [],
};
const PACKAGES = /^(react|react-dom\/client|lean-qr|lean-qr\/extras\/svg|@tanstack\/react-(query|router)|vite)$/;
const GENERATED = /\.gen\.ts$/;
const IMPORT = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;
/** The key of a query and the address that it reads. */
const QUERY = /\bqueryKey: (\[[^\]]*\]),\s*queryFn: [^`;]*?\bapi\.\w+(?:<[^;`(]*>)?\(\s*(`[^`]*`|'[^']*')/g;
const EXPORT = /^export (?:async )?(?:const|let|function|class|type|interface)\s+(\w+)/gm;

async function checkDashboard(root: string): Promise<Problem[]> {
  const files = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root }).map((file) => file.split(path.sep).join('/'));
  const sources = await Promise.all(
    files.sort().map(async (file) => ({ path: file, text: await readFile(path.join(root, file), 'utf8') })),
  );
  const isThere = (file: string) => existsSync(path.join(root, file));
  return sources.length === 0
    ? [{ file: 'src', line: 0, rule: 'nothing-checked', message: 'no source found' }]
    : checkSources(sources, isThere);
}

export function checkSources(sources: readonly Source[], isThere: (file: string) => boolean): Problem[] {
  const shipped = sources.filter((source) => source.path.startsWith('src/'));
  return [
    ...shipped.flatMap((source) => checkImports(source, isThere)),
    ...findImportCycles(shipped),
    ...shipped.flatMap(checkSize),
    ...findSharedQueryKeys(shipped),
    ...findUnusedExports(sources),
  ];
}

function checkImports(source: Source, isThere: (file: string) => boolean): Problem[] {
  const isTest = source.path.endsWith('.test.ts');
  return listImports(source).flatMap(({ specifier, index }) => {
    const message = explain(source.path, specifier, isThere);
    const isAllowedInTest = isTest && specifier.startsWith('node:');
    if (message === null || isAllowedInTest) return [];
    return [{ file: source.path, line: lineOf(source.text, index), rule: 'layers', message }];
  });
}

function listImports({ text }: Source): { readonly specifier: string; readonly index: number }[] {
  return [...text.matchAll(IMPORT)].map((found) => ({ specifier: found[1] ?? found[2] ?? '', index: found.index }));
}

/** Types and pages that are loaded later count too: whoever reads one file of a cycle has to read all. */
function findImportCycles(sources: readonly Source[]): Problem[] {
  const targetsOf = (source: Source) =>
    listImports(source)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => resolveFrom(source.path, specifier));
  const graph = new Map(sources.map((source) => [source.path, new Set(targetsOf(source))]));
  return findCycles(graph).map((cycle) => ({
    file: cycle[0] ?? '',
    line: 1,
    rule: 'no-cycles',
    message: `imports itself: ${cycle.join(' → ')}`,
  }));
}

function resolveFrom(from: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(from), specifier);
}

/** Null if the import is allowed. */
function explain(from: string, specifier: string, isThere: (file: string) => boolean): string | null {
  if (!specifier.startsWith('.')) return PACKAGES.test(specifier) ? null : `may not import the package ${specifier}`;
  const target = resolveFrom(from, specifier);
  if (!isThere(target)) return `file not found: ${specifier}`;
  const [own, other] = [layerOf(from), layerOf(target)];
  if (own === null || other === null) return `${target} is in no layer`;
  if (!MAY_IMPORT[own].includes(other))
    return `${own} may not import ${target}: imports go from app to features to shared and api`;
  const isOtherFeature = own === 'features' && other === 'features' && featureOf(from) !== featureOf(target);
  return isOtherFeature ? `features do not import each other: move what both need to shared` : null;
}

function layerOf(file: string): Layer | null {
  const [, layer = ''] = file.split('/');
  return Object.hasOwn(MAY_IMPORT, layer) ? (layer as Layer) : null;
}

function featureOf(file: string): string | undefined {
  return file.split('/')[2];
}

function checkSize({ path: file, text }: Source): Problem[] {
  const lines = text.trimEnd().split('\n').length;
  if (GENERATED.test(file) || lines <= MAX_FILE_LINES) return [];
  return [{ file, line: 1, rule: 'file-size', message: `${lines} lines; the limit is ${MAX_FILE_LINES}` }];
}

/** Two queries with one key share a cache entry, so a page would get the reply to another request. */
function findSharedQueryKeys(sources: readonly Source[]): Problem[] {
  const addressOf = new Map<string, string>();
  return sources.flatMap(({ path: file, text }) =>
    [...text.matchAll(QUERY)].flatMap(({ 1: key = '', 2: address = '', index }) => {
      const other = addressOf.getOrInsert(key, address);
      if (other === address) return [];
      const message = `the query key ${key} is also that of a request to ${other}`;
      return [{ file, line: lineOf(text, index), rule: 'query-key', message }];
    }),
  );
}

/** Words of a file, not names: JSX is text as well as code. */
function findUnusedExports(sources: readonly Source[]): Problem[] {
  const users = new Map<string, Set<string>>();
  for (const { path: file, text } of sources)
    for (const word of text.match(/\w+/g) ?? []) users.getOrInsertComputed(word, () => new Set()).add(file);
  return sources
    .filter(({ path: file }) => !GENERATED.test(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(EXPORT)]
        .filter(([, name = '']) => (users.get(name)?.size ?? 0) < 2)
        .map((found) => ({
          file,
          line: lineOf(text, found.index),
          rule: 'unused-export',
          message: `${found[1]} is used in no other file`,
        })),
    );
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

if (import.meta.main)
  reportProblems(await checkDashboard(path.resolve(import.meta.dirname, '../../dashboard')), 'dashboard/');
