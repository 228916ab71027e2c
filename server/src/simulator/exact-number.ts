// 64-bit ids in JSON, whose digits a double would lose.

type RawJson = { rawJSON(text: string): unknown };

/** Only for JSON.stringify. */
export function exactNumber(value: bigint): unknown {
  return (JSON as unknown as RawJson).rawJSON(String(value));
}
