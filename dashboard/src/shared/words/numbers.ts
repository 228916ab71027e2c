// Numbers in words. Zero is a number, "–" is none, minus is "−".

export function number(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined) return '–';
  const text = formatter(digits).format(Math.abs(value));
  return value < 0 && Number(text.replaceAll(',', '')) !== 0 ? `−${text}` : text;
}

/** +3.7, −15.0, 0.0 */
export function signed(value: number, digits = 1): string {
  const text = number(value, digits);
  return value > 0 && Number(text.replaceAll(',', '')) !== 0 ? `+${text}` : text;
}

/** 1 event, 3 events */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** a, b and c */
export function listWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const formatters: Intl.NumberFormat[] = [];

/** Making one takes longer than formatting a hundred numbers. */
function formatter(digits: number): Intl.NumberFormat {
  formatters[digits] ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formatters[digits];
}
