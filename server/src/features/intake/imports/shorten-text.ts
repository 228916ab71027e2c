// Cuts texts to the length that uploads accept.

/** Uploads refuse half an emoji, which a cut can leave. */
export function shortenText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed();
}
