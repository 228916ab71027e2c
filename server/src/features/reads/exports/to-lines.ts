// Documents as lines of JSON, in pieces between which an export yields to the event loop.

/** Few enough to write within a few milliseconds. */
const LINES_PER_PIECE = 200;

export function* toLines(documents: Iterable<object>): Generator<string> {
  let text = '';
  let count = 0;
  for (const document of documents) {
    text += `${JSON.stringify(document)}\n`;
    count += 1;
    if (count % LINES_PER_PIECE !== 0) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
