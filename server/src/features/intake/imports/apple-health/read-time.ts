// Times of an Apple Health export, "2026-03-09 07:30:00 +0100", as uploads have them.
const LENGTH = '2026-03-09 07:30:00 +0100'.length;

/** Any other text is returned as it is; the checks of the upload reject and name it. */
export function toInstant(text: string): string {
  if (text.length !== LENGTH) return text;
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${text.slice(20, 23)}:${text.slice(23)}`;
}
