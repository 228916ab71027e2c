// Looks for banned words in every text of the repository: names of files, identifiers, comments, messages, SQL, docs and OpenAPI.
import path from 'node:path';
import { listFiles, readText } from './check-words.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { scanSource, type Token } from './scan-source.ts';
import { BANNED_IN_NAMES, BANNED_WORDS, type BannedWord } from './vocabulary.ts';

const CHECKED = /\.(tsx?|js|md|sql|json|svg|css|html)$/;
/** What others wrote: recorded answers of providers, stored bodies, versions of packages. Texts in other languages. And the list itself. */
const EXEMPT =
  /(^|\/)(package-lock\.json|texts\/(?!en)[a-z]{2}\.ts|fixtures\/.*|golden\/.*\.json|vocabulary\.ts|check-vocabulary\.test\.ts)$/;
const SQL_TEXTS = /--.*|'(?:[^']|'')*'/g;

async function checkVocabulary(root: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of listFiles(root).filter((one) => CHECKED.test(one) && !EXEMPT.test(one))) {
    const text = await readText(path.join(root, file));
    if (text !== null) problems.push(...checkVocabularyOf(file, text));
  }
  return problems;
}

export function checkVocabularyOf(file: string, text: string): Problem[] {
  const everywhere = checkLines(file, [file, ...text.split('\n')]);
  return [...everywhere, ...checkNames(file, listNames(file, text))];
}

/** Without comments and strings. The text between the tags of a .tsx file counts: it should be in a file of words. */
function listNames(file: string, text: string): Pick<Token, 'line' | 'text'>[] {
  if (/\.tsx?$/.test(file)) return scanSource(text).tokens.filter(({ kind }) => kind === 'word');
  if (!file.endsWith('.sql')) return [];
  const code = text.replace(SQL_TEXTS, (found) => found.replace(/[^\n]+/g, ' '));
  return code.split('\n').map((line, index) => ({ line: index + 1, text: line }));
}

function checkLines(file: string, lines: readonly string[]): Problem[] {
  const banned = keepPossible(lines, BANNED_WORDS);
  if (banned.length === 0) return [];
  return lines.flatMap((line, number) => findBanned(file, number, splitWords(line), banned));
}

function checkNames(file: string, names: readonly Pick<Token, 'line' | 'text'>[]): Problem[] {
  const banned = keepPossible(new Set(names.map(({ text }) => text)), BANNED_IN_NAMES);
  if (banned.length === 0) return [];
  return names.flatMap(({ line, text }) => findBanned(file, line, splitWords(text), banned));
}

/** Most files contain no banned word, so all of their texts are searched at once, and only then one by one. */
function keepPossible(texts: Iterable<string>, banned: readonly BannedWord[]): BannedWord[] {
  const words = splitWords([...texts].join('\n'));
  return banned.filter(({ words: forms }) => forms.some((form) => words.includes(` ${form} `)));
}

/** Camel case and snake case are words like any others. */
function splitWords(text: string): string {
  const words = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return ` ${words.join(' ').toLowerCase()} `;
}

function findBanned(file: string, line: number, words: string, banned: readonly BannedWord[]): Problem[] {
  return banned.flatMap(({ words: forms, instead, except = [] }) =>
    forms
      .filter((form) => words.includes(` ${form} `) && !except.some((phrase) => words.includes(` ${phrase} `)))
      .map((form) => ({ file, line, rule: 'vocabulary', message: `"${form}": write ${instead}` })),
  );
}

if (import.meta.main) reportProblems(await checkVocabulary(path.resolve(import.meta.dirname, '../..')));
