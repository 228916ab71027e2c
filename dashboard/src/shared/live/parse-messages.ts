// Reads server-sent events from the text of a stream. Pure.

export type StreamMessage = { readonly name: string; readonly id: string | null; readonly data: unknown };

/** The complete messages, and the rest, which the next piece of the stream continues. */
export function parseMessages(text: string): { readonly messages: StreamMessage[]; readonly rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  return { messages: blocks.flatMap(parseBlock), rest };
}

/** Comments and the delay for reconnecting are not messages. */
function parseBlock(block: string): StreamMessage[] {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  if (data === undefined) return [];
  return [{ name: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) as unknown }];
}
