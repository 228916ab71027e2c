// Times of an Apple Health export, "2026-03-09 07:30:00 +0100", as uploads have them.
const LENGTH = '2026-03-09 07:30:00 +0100'.length;
const COLON = 58;
const LETTER_T = 84;

/** Any other text is returned as it is; the checks of the upload reject and name it. */
export function toInstant(text: string): string {
  if (text.length !== LENGTH) return text;
  // One flat string: parts that are joined would be copied once more, and held in memory until then.
  return String.fromCharCode(
    text.charCodeAt(0),
    text.charCodeAt(1),
    text.charCodeAt(2),
    text.charCodeAt(3),
    text.charCodeAt(4),
    text.charCodeAt(5),
    text.charCodeAt(6),
    text.charCodeAt(7),
    text.charCodeAt(8),
    text.charCodeAt(9),
    LETTER_T,
    text.charCodeAt(11),
    text.charCodeAt(12),
    text.charCodeAt(13),
    text.charCodeAt(14),
    text.charCodeAt(15),
    text.charCodeAt(16),
    text.charCodeAt(17),
    text.charCodeAt(18),
    text.charCodeAt(20),
    text.charCodeAt(21),
    text.charCodeAt(22),
    COLON,
    text.charCodeAt(23),
    text.charCodeAt(24),
  );
}
