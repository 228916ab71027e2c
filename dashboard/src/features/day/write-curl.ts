/** A call of the public API that reads daily values. The key is named, never written. Pure. */
export function writeCurl(origin: string, userId: string, query: string, call = 'daily'): string {
  return `curl -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\\n  "${origin}/v1/users/${userId}/${call}?${query}"`;
}
