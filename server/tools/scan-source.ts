// Splits a TypeScript file into tokens, so that the repository checks never mistake a comment or a string for code.
// Not a parser: it handles comments, strings, templates with nested code, and regular expressions, but not JSX.

type TokenKind = 'word' | 'punctuation' | 'string' | 'template' | 'regex';

/** `text` has no quotes. A template without `${}` counts as a string; one with `${}` gives one token per piece of text. */
export type Token = { kind: TokenKind; text: string; line: number };

/** `code` is the source with comments and strings blanked out and every line kept, for searching by pattern. */
type ScannedSource = { tokens: Token[]; code: string };

export function scanSource(source: string): ScannedSource {
  const scan: Scan = { source, at: 0, line: 1, tokens: [], code: [], open: [], afterCondition: false };
  if (source.startsWith('#!')) blank(scan, source.search(/\n|$/));
  while (scan.at < source.length) scanNext(scan);
  return { tokens: scan.tokens, code: scan.code.join('') };
}

type Opener = '(' | 'condition (' | '{' | '${';

type Scan = {
  source: string;
  at: number;
  line: number;
  tokens: Token[];
  code: string[];
  open: Opener[];
  /** The last `)` closed an `if (…)`, `while (…)` or `for (…)`: a slash after it begins a regular expression. */
  afterCondition: boolean;
};

const BLANK = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /[\p{ID_Continue}$]+/uy;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const PUNCTUATION = /\.\.\.|\+\+|--|[\s\S]/y;

const CONDITION_WORDS = new Set(['if', 'while', 'for', 'with']);
const WORDS_BEFORE_REGEX = new Set(
  'return typeof case in of instanceof new delete void throw else do await yield default extends'.split(' '),
);

function scanNext(scan: Scan): void {
  const character = scan.source[scan.at];
  const blankLength = match(scan, BLANK, scan.at);
  const wordLength = blankLength > 0 ? 0 : match(scan, WORD, scan.at);
  const stringLength = character === "'" || character === '"' ? match(scan, STRING, scan.at) : 0;
  const regexLength = beginsRegex(scan) ? match(scan, REGEX, scan.at) : 0;
  // Comments before regular expressions: both begin with a slash.
  if (blankLength > 0) blank(scan, blankLength);
  else if (wordLength > 0) push(scan, 'word', 0, wordLength, 0);
  else if (stringLength > 0) push(scan, 'string', 1, stringLength - 2, 1);
  else if (regexLength > 0) push(scan, 'regex', 1, regexLength - 2, 1);
  else if (character === '`') scanTemplateText(scan, true);
  else if (character === '}' && scan.open.at(-1) === '${') scanTemplateText(scan, false);
  else scanPunctuation(scan, character);
}

function scanPunctuation(scan: Scan, character: string | undefined): void {
  if (character === '(') scan.open.push(CONDITION_WORDS.has(scan.tokens.at(-1)?.text ?? '') ? 'condition (' : '(');
  if (character === '{') scan.open.push('{');
  if (character === '}') scan.open.pop();
  if (character === ')') scan.afterCondition = scan.open.pop() === 'condition (';
  push(scan, 'punctuation', 0, match(scan, PUNCTUATION, scan.at), 0);
}

function scanTemplateText(scan: Scan, isFirst: boolean): void {
  const length = match(scan, TEMPLATE_TEXT, scan.at + 1);
  const isLast = scan.source[scan.at + 1 + length] === '`';
  if (!isFirst) scan.open.pop();
  if (!isLast) scan.open.push('${');
  push(scan, isFirst && isLast ? 'string' : 'template', 1, length, isLast ? 1 : 2);
}

function beginsRegex(scan: Scan): boolean {
  if (scan.source[scan.at] !== '/') return false;
  const before = scan.tokens.at(-1);
  if (before === undefined || before.kind === 'template') return true;
  if (before.kind === 'word') return WORDS_BEFORE_REGEX.has(before.text);
  if (before.kind !== 'punctuation') return false;
  if (before.text === ')') return scan.afterCondition;
  return before.text !== ']' && before.text !== '++' && before.text !== '--';
}

function match(scan: Scan, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(scan.source) ? pattern.lastIndex - from : 0;
}

/** `before` and `after` are the lengths of the quotes around a text of `length`. */
function push(scan: Scan, kind: TokenKind, before: number, length: number, after: number): void {
  const text = scan.source.slice(scan.at + before, scan.at + before + length);
  scan.tokens.push({ kind, text, line: scan.line });
  if (kind === 'word' || kind === 'punctuation') {
    scan.code.push(text);
    scan.at += length;
  } else {
    blank(scan, before + length + after);
  }
}

function blank(scan: Scan, length: number): void {
  const end = scan.at + length;
  let from = scan.at;
  for (let at = scan.source.indexOf('\n', from); at !== -1 && at < end; at = scan.source.indexOf('\n', from)) {
    scan.code.push(' '.repeat(at - from), '\n');
    scan.line += 1;
    from = at + 1;
  }
  if (from < end) scan.code.push(' '.repeat(end - from));
  scan.at = end;
}
