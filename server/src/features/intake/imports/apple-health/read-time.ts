// Times of an Apple Health export, "2026-03-09 07:30:00 +0100", as uploads have them.
const LENGTH = '2026-03-09 07:30:00 +0100'.length;

/** Records beside each other have the same offset, and joining fewer pieces is faster. */
let [lastOffset, lastWritten] = ['', ''];

/** Any other text is returned as it is; the checks of the upload reject and name it. */
export function toInstant(text: string): string {
  if (text.length !== LENGTH) return text;
  const offset = text.slice(20);
  if (offset !== lastOffset) {
    lastOffset = offset;
    lastWritten = `${offset.slice(0, 3)}:${offset.slice(3)}`;
  }
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${lastWritten}`;
}
