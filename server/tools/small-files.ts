// Finds files that are too small to be worth one: few lines of code, and only a file beside them imports them.
import path from 'node:path';
import { GENERATED_FILE, MIN_CODE_LINES, SMALL_BY_DESIGN } from './import-rule-table.ts';
import type { Problem } from './report-problems.ts';
import type { SourceFile } from './source-tree.ts';

/** `kept`: the reasons of files that are not merged. */
export function findSmallFiles(files: readonly SourceFile[], kept: Readonly<Record<string, string>>): Problem[] {
  const importers = findImporters(files);
  const small = files.flatMap((file) => {
    const [importer, ...others] = importers.get(file.path) ?? [];
    if (importer === undefined || others.length > 0 || !isMergeable(file, importer)) return [];
    const lines = countCodeLines(file);
    const message = `${lines} lines of code that only ${path.basename(importer)} imports: merge them, or give the reason in KEPT_SMALL_FILES`;
    return lines < MIN_CODE_LINES ? [report(file.path, message)] : [];
  });
  const stale = Object.keys(kept).filter((file) => !small.some((one) => one.file === file));
  return [
    ...small.filter(({ file }) => !Object.hasOwn(kept, file)),
    ...stale.map((file) => report(file, 'needs no entry in KEPT_SMALL_FILES')),
  ];
}

function report(file: string, message: string): Problem {
  return { file, line: 1, rule: 'file-floor', message };
}

/** A file with a test of its own has two. */
function findImporters(files: readonly SourceFile[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files)
    for (const { target, names, isReExport } of file.imports) {
      if (target === null) continue;
      const known = importers.getOrInsertComputed(target, () => new Set());
      known.add(file.path);
      // A re-export is for others, and import() loads a file only when it is needed.
      if (isReExport || names === null) known.add('others');
    }
  return importers;
}

function isMergeable({ path: file, isTest }: SourceFile, importer: string): boolean {
  if (!file.startsWith('src/') || isTest || GENERATED_FILE.test(file) || SMALL_BY_DESIGN.test(file)) return false;
  return path.posix.dirname(file) === path.posix.dirname(importer);
}

/** Lines with a token outside of imports. */
function countCodeLines({ tokens, imports }: SourceFile): number {
  const lines = new Set(tokens.flatMap(({ text, line }) => text.split('\n').map((_, offset) => line + offset)));
  for (const { specifier, line } of imports) {
    const end = tokens.find((token) => token.kind === 'string' && token.text === specifier && token.line >= line);
    for (let at = line; at <= (end?.line ?? line); at += 1) lines.delete(at);
  }
  return lines.size;
}
