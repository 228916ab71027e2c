// Text that PostgreSQL can store: neither NUL nor half a surrogate pair.

/** Why a text cannot be stored, as the end of "NAME …"; null if it can. */
export function findUnstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL';
  return text.isWellFormed() ? null : 'is not well-formed Unicode';
}
