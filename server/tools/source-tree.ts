// Reads every TypeScript file of a workspace and resolves its imports; it applies no rule.
import { existsSync, statSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type ImportSite, readImports } from './read-imports.ts';
import { scanSource, type Token } from './scan-source.ts';

/** `target` is the imported file relative to the root, `node:…`, `npm:…`, or null when the file does not exist. */
export type ResolvedImport = ImportSite & { target: string | null };

export type SourceFile = {
  /** Relative to the root, with forward slashes: `src/domain/units.ts`. */
  path: string;
  isTest: boolean;
  lineCount: number;
  tokens: Token[];
  code: string;
  imports: ResolvedImport[];
};

const FOLDERS = ['src', 'test', 'tools', 'bench'];

export async function readSourceTree(root: string): Promise<SourceFile[]> {
  const paths = await listSourcePaths(root);
  const known = new Set(paths);
  return Promise.all(paths.map((file) => readSourceFile(root, file, known)));
}

async function listSourcePaths(root: string): Promise<string[]> {
  const paths: string[] = [];
  const exclude = (name: string) => path.basename(name) === 'node_modules';
  for await (const file of glob(`{${FOLDERS.join(',')}}/**/*.{ts,tsx}`, { cwd: root, exclude })) {
    paths.push(file.split(path.sep).join('/'));
  }
  return paths.sort();
}

async function readSourceFile(root: string, file: string, known: ReadonlySet<string>): Promise<SourceFile> {
  const source = await readFile(path.join(root, file), 'utf8');
  const { tokens, code } = scanSource(source);
  return {
    path: file,
    isTest: file.endsWith('.test.ts'),
    lineCount: source.trimEnd().split('\n').length,
    tokens,
    code,
    imports: readImports(tokens).map((site) => ({ ...site, target: resolveTarget(root, file, site.specifier, known) })),
  };
}

/** Node needs relative imports with the full file name; the case must match even on a case-insensitive disk. */
function resolveTarget(
  root: string,
  from: string,
  specifier: string | null,
  known: ReadonlySet<string>,
): string | null {
  if (specifier === null) return null;
  if (isBuiltin(specifier)) return `node:${specifier.replace(/^node:/, '')}`;
  if (!/^\.{0,2}\//.test(specifier)) return `npm:${specifier}`;
  const target = path.posix.join(path.posix.dirname(from), specifier);
  if (known.has(target)) return target;
  const onDisk = path.join(root, target);
  const isData = !target.endsWith('.ts') && existsSync(onDisk) && statSync(onDisk).isFile();
  return isData ? target : null;
}
