// Whether a statement only reads, so that it may use a connection for reads.

const BEGINS_AS_READ = /^\s*(?:--[^\n]*\n\s*)*(?:select|with|show|values)\b/i;
const WRITES =
  /\b(?:insert\s+into|update\s+(?:only\s+)?[\w.]+\s+(?:as\s+)?(?:\w+\s+)?set|delete\s+from|merge\s+into|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|nextval|setval|pg_advisory\w*|pg_notify|graphile_worker\.\w+\s*\()/i;
const known = new Map<string, boolean>();
const MAX_KNOWN = 2_000; // statements are constants; this bounds texts that are not

/** Unclear statements count as writes, which is never wrong. */
export function isRead(text: string): boolean {
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const result = BEGINS_AS_READ.test(text) && !WRITES.test(text);
  if (known.size < MAX_KNOWN) known.set(text, result);
  return result;
}
