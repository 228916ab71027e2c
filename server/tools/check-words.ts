// Looks through every file of the repository for paths and hosts of the machine it was written on, and through the
// shipped code for addresses that it has no business to know.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import { scanSource } from './scan-source.ts';

/** Hosts that shipped code may name beside loopback, placeholders and names reserved for examples (RFC 2606, RFC 6761).
 * Those of loinc, hl7 and unitsofmeasure identify code systems of FHIR. Nothing connects to them. */
const ALLOWED_HOSTS = [
  'hl7.org',
  'json-schema.org',
  'loinc.org',
  'spec.openapis.org',
  'terminology.hl7.org',
  'unitsofmeasure.org',
  'www.rfc-editor.org',
  'www.standardwebhooks.com',
  'www.w3.org',
];
const RESERVED_HOST =
  /^([\w-]+|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|([\w-]+\.)*(example\.(com|net|org)|example|test|invalid|localhost))$/;

const MACHINE_PATH = /(?<![\w.~-])\/(?:work|root)\/|(?<![\w.~/-])\/(?:home|Users)\/[a-z]\w*\//g;
const REGISTRY_HOST =
  /\b(?:registry|npm)\.(?:npmjs|yarnpkg|npmmirror|pkg\.github)\.\w+|https?:\/\/(?:[\w-]+\.)*(?:registry|npm|pypi|mirrors?|artifactory|nexus)[.:]/gi;
const ADDRESS_HOST = /\bhttps?:\/\/(\[[\d:a-f]*\]|[\w.-]+)/gi;

async function checkWords(root: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of listFiles(root)) {
    const text = await readText(path.join(root, file));
    if (text !== null) problems.push(...checkText(file, text));
  }
  return problems;
}

export function checkText(file: string, text: string): Problem[] {
  const problems = text
    .split('\n')
    .flatMap((line, index) => [
      ...line.matchAll(MACHINE_PATH).map(([found]) => report(file, index + 1, 'machine-path', found)),
      ...line.matchAll(REGISTRY_HOST).map(([found]) => report(file, index + 1, 'registry-host', found)),
    ]);
  // A provider's own addresses are its data; tests talk to whom they like.
  const isShipped =
    /^(server|dashboard)\/src\/(?!(providers|simulator)\/).*\.tsx?$/.test(file) && !file.endsWith('.test.ts');
  return isShipped ? [...problems, ...checkAddresses(file, text)] : problems;
}

function checkAddresses(file: string, text: string): Problem[] {
  const texts = scanSource(text).tokens.filter((token) => token.kind === 'string' || token.kind === 'template');
  return texts.flatMap((token) =>
    [...token.text.matchAll(ADDRESS_HOST)]
      .map((found) => found[1] ?? '')
      .filter((host) => !ALLOWED_HOSTS.includes(host) && !RESERVED_HOST.test(host))
      .map((host) => report(file, token.line, 'foreign-address', host)),
  );
}

function report(file: string, line: number, rule: string, found: string): Problem {
  return { file, line, rule, message: `${found} has no place here` };
}

/** New files count before they are added; an unpacked archive has no git and is walked. */
export function listFiles(root: string): string[] {
  const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const listed = execFileSync('git', command, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return listed.split('\0').filter((file) => file !== '');
  } catch {
    return globSync('**/*', { cwd: root, exclude: (name) => /^(node_modules|data|\.git)$/.test(path.basename(name)) });
  }
}

/** Null for folders, binary files, and deleted files whose deletion is not committed yet. */
export async function readText(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  const text = await readFile(file, 'utf8');
  return text.includes('\0') ? null : text;
}

if (import.meta.main) reportProblems(await checkWords(path.resolve(import.meta.dirname, '../..')));
