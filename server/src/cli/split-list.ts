/** Of an option such as "a, b". An empty part stays, so that it is reported. */
export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
