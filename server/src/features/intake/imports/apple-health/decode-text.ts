// Decodes XML references in an attribute, and drops control characters, which some apps write into names.
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are dropped
const CONTROL = /[\u0000-\u001f\u007f\u200e\u200f]/g;
const MAX_CODE_POINT = 0x10ffff;

export function decodeText(text: string): string {
  const decoded = text.includes('&') ? text.replace(REFERENCE, decode) : text;
  return decoded.replace(CONTROL, ' ');
}

function decode(reference: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name] ?? reference;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : '';
}
