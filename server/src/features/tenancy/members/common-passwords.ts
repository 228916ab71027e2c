// Recognizes common passwords. Of the 10,000 most common passwords few have 12 characters, and those repeat or join a few
// words, names, years and rows of the keyboard. This finds them by their parts, so that variants are found as well. Pure.

const WORDS = `
  password passwort passwd pass login admin administrator root user guest welcome hello letmein master secret access default changeme
  test testing demo example sample temp temporary qwerty qwertz azerty iloveyou love loveyou princess dragon monkey football baseball
  basketball soccer hockey superman batman spiderman starwars pokemon naruto minecraft liverpool arsenal chelsea barcelona
  realmadrid manchester united sunshine shadow michael jordan jennifer jessica ashley daniel andrew thomas charlie hunter
  robert william anthony joseph matthew nicole amanda samantha trustno whatever computer internet google facebook youtube twitter
  samsung iphone apple microsoft windows linux server database oracle system network cisco router company office business
  summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january february march april may june july
  august september october november december flower butterfly cookie chocolate banana orange cheese coffee pepper ginger tiger lion
  eagle falcon phoenix mustang ferrari porsche mercedes corvette harley yamaha honda toyota killer hacker ninja pirate warrior
  knight wizard angel devil jesus christ god heaven blessed family mother father sister brother baby forever together
  freedom america london paris berlin germany england france canada australia mexico brasil india china secure security private
  health tributary dashboard supersecret super mega please open sesame abc abcd abcdef abcdefg abcdefgh asdf asdfgh asdfghjkl zxcv zxcvbn
  zxcvbnm qwer qwert qazwsx qazwsxedc qweasd qweasdzxc qwertyuiop my the your you are is this that me i and one two three four five six
  seven eight nine ten a`
  .trim()
  .split(/\s+/);

const SEQUENCES = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
];
const MIN_SEQUENCE = 4; // shorter runs occur in ordinary words
/** What people write instead of a letter. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const words = new Set(WORDS);
const longestWord = Math.max(...WORDS.map((word) => word.length));

/** `own`: texts about the member, such as the name, which others know. */
export function isCommonPassword(password: string, own: readonly string[] = []): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const known = new Set([...words, ...own.flatMap(splitOwn)]);
  const end = /[\d\p{P}]*$/u.exec(text)?.[0] ?? '';
  const variants = [text, replaceLookalikes(text), replaceLookalikes(text.slice(0, text.length - end.length)) + end];
  return variants.some((variant) => isRepetition(variant) || isMadeOf(variant, known));
}

function splitOwn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part.length >= 3);
}

function replaceLookalikes(text: string): string {
  return text.replace(/[013457@$!]/g, (character) => LOOKALIKES[character] ?? character);
}

/** One short text, again and again. */
function isRepetition(text: string): boolean {
  return /^(.{1,6}?)\1+.{0,5}$/su.test(text) && new Set(text).size <= 6;
}

/** A phrase of more words is hard to guess, even of common ones. */
const MAX_COMMON_PARTS = 3;
const MAX_BETWEEN = 8; // digits and punctuation, such as a date

/** Whether the text consists of a few known words and sequences, with digits and punctuation between them. */
function isMadeOf(text: string, known: ReadonlySet<string>): boolean {
  const parts = new Set<string>();
  let between = 0;
  for (let at = 0; at < text.length; ) {
    const length = longestPart(text, at, known);
    if (length > 1) parts.add(text.slice(at, at + length));
    else if (length === 0 && /\p{L}/u.test(text[at] ?? '')) return false;
    else between += 1;
    at += Math.max(1, length);
  }
  return parts.size <= MAX_COMMON_PARTS && between <= MAX_BETWEEN;
}

function longestPart(text: string, at: number, known: ReadonlySet<string>): number {
  for (let length = Math.min(text.length - at, longestWord); length > 0; length -= 1)
    if (known.has(text.slice(at, at + length))) return Math.max(length, sequenceLength(text, at));
  return sequenceLength(text, at);
}

function sequenceLength(text: string, at: number): number {
  let length = 0;
  for (const sequence of SEQUENCES)
    while (at + length < text.length && sequence.includes(text.slice(at, at + length + 1))) length += 1;
  return length >= MIN_SEQUENCE ? length : 0;
}
