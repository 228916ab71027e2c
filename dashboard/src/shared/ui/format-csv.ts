/** RFC 4180, with a byte order mark so that spreadsheets read UTF-8. */
export function formatCsv(lines: readonly (readonly (string | number | null)[])[]): string {
  return `\uFEFF${lines.map((line) => line.map(formatCell).join(',')).join('\r\n')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula, so it gets an apostrophe. */
function formatCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
