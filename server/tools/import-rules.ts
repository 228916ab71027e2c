// Checks imports against the table in `import-rule-table.ts`. It is our own because dependency-cruiser needs the API of
// TypeScript 6 and with TypeScript 7 silently checks nothing.
import path from 'node:path';
import { findCycles } from './find-cycles.ts';
import {
  codeRules,
  fileNameRules,
  GENERATED_FILE,
  importRules,
  layers,
  MAX_FILE_LINES,
  readFeature,
  testMayImport,
} from './import-rule-table.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { type ResolvedImport, readSourceTree, type SourceFile } from './source-tree.ts';

/** `root` is the server folder, which contains `src/`, `test/`, `tools/` and `bench/`. */
export async function checkImportRules(root: string): Promise<Problem[]> {
  const files = await readSourceTree(root);
  if (!files.some((file) => file.path.startsWith('src/'))) {
    return [{ file: root, line: 0, rule: 'nothing-checked', message: 'no TypeScript file found in src/' }];
  }
  const perFile = files.flatMap((file) => [...checkFile(file), ...checkImports(file), ...checkCode(file)]);
  return [...perFile, ...checkFileCycles(files), ...checkFeatureCycles(files)];
}

function checkFile(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const report = (rule: string, message: string) => problems.push({ file: file.path, line: 1, rule, message });
  for (const rule of fileNameRules) if (rule.refuses.test(file.path)) report(rule.name, `file name: ${rule.reason}`);
  if (findLayer(file.path) === undefined) report('layers', 'is in no layer; add it to import-rule-table.ts');
  const isLimited = file.path.startsWith('src/') && !file.isTest && !GENERATED_FILE.test(file.path);
  if (isLimited && file.lineCount > MAX_FILE_LINES) {
    report('file-size', `${file.lineCount} lines; the limit is ${MAX_FILE_LINES}, so split the file`);
  }
  return problems;
}

function checkImports(file: SourceFile): Problem[] {
  return file.imports.flatMap((site) => {
    const refusals = site.target === null ? [explainUnresolved(file, site)] : [explainLayer(file, site.target)];
    for (const rule of importRules) {
      if (site.target === null || (file.isTest && rule.testsExempt)) continue;
      if (rule.refuses(file.path, site.target, site.typeOnly)) {
        refusals.push({ rule: rule.name, message: `may not import ${site.target}: ${rule.reason}` });
      }
    }
    return refusals
      .filter((refusal) => refusal !== null)
      .map((refusal) => ({ file: file.path, line: site.line, ...refusal }));
  });
}

type Refusal = { rule: string; message: string };

function explainUnresolved(file: SourceFile, site: ResolvedImport): Refusal | null {
  if (site.specifier !== null) return { rule: 'unresolved', message: `file not found: ${site.specifier}` };
  if (!/^src\/(domain|providers|features)\//.test(file.path)) return null;
  return {
    rule: 'computed-import',
    message: 'import() of a computed name cannot be checked: write the path as a string',
  };
}

function explainLayer(file: SourceFile, target: string): Refusal | null {
  const layer = findLayer(file.path);
  if (layer === undefined) return null;
  const isTestInSource = file.isTest && file.path.startsWith('src/');
  const allowed = isTestInSource ? [...layer.mayImport, ...testMayImport] : layer.mayImport;
  const kind = findTargetKind(target);
  if (allowed.includes(kind)) return null;
  return { rule: 'layers', message: `${layer.name} may not import ${target} (${kind}): ${layer.reason}` };
}

function findTargetKind(target: string): string {
  const layer = findLayer(target);
  if (layer !== undefined) return layer.name;
  if (target.startsWith('node:')) return 'node';
  if (/^npm:(@tributary\/|#)/.test(target)) return 'workspace';
  if (target.startsWith('npm:')) return 'npm';
  return /^(\.\.\/)?package\.json$/.test(target) ? 'data' : 'outside';
}

function findLayer(file: string) {
  return layers.find((layer) => layer.holds.test(file));
}

function checkCode(file: SourceFile): Problem[] {
  const rules = codeRules.filter(
    (rule) => !(file.isTest && rule.testsExempt) && rule.appliesTo.test(file.path) && !rule.except.test(file.path),
  );
  return rules.flatMap((rule) =>
    [...file.code.matchAll(rule.refuses)].map((found) => ({
      file: file.path,
      line: file.code.slice(0, found.index).split('\n').length,
      rule: rule.name,
      message: `${found[0].replaceAll(/\s+/g, ' ')} is not allowed here: ${rule.reason}`,
    })),
  );
}

function checkFileCycles(files: readonly SourceFile[]): Problem[] {
  const graph = new Map(files.map((file) => [file.path, new Set(file.imports.map((site) => site.target ?? ''))]));
  return findCycles(graph).map((cycle) => reportCycle('no-cycles', cycle));
}

/** A test may use another feature for its setup: only shipped files decide the order of the features. */
function checkFeatureCycles(files: readonly SourceFile[]): Problem[] {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const feature = readFeature(file.path);
    if (feature === null || file.isTest) continue;
    const targets = graph.get(feature) ?? new Set<string>();
    graph.set(feature, targets);
    for (const site of file.imports) {
      const target = readFeature(site.target ?? '');
      if (target !== null && target !== feature) targets.add(target);
    }
  }
  return findCycles(graph).map((cycle) =>
    reportCycle(
      'feature-order',
      cycle.map((name) => `src/features/${name}`),
    ),
  );
}

function reportCycle(rule: string, cycle: readonly string[]): Problem {
  return { file: cycle[0] ?? '', line: 1, rule, message: `import cycle: ${cycle.join(' -> ')}` };
}

if (import.meta.main) {
  reportProblems(await checkImportRules(path.resolve(import.meta.dirname, '..')), 'server/');
}
