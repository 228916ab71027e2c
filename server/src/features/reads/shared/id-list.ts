// Comma-separated ids: trimmed, empty ones dropped, each once, in the order asked for.

export function parseIdList(text: string): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return [...new Set(ids)];
}
