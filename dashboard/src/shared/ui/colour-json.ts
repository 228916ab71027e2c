// Splits JSON into pieces by what they are, for colouring.

type JsonPiece = { readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain'; readonly text: string };

const PIECE = /("(?:\\.|[^"\\])*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function colourJson(json: string): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let at = 0;
  for (const found of json.matchAll(PIECE)) {
    if (found.index > at) pieces.push({ kind: 'plain', text: json.slice(at, found.index) });
    pieces.push({ kind: kindOf(found[0], found[2] !== undefined), text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < json.length) pieces.push({ kind: 'plain', text: json.slice(at) });
  return pieces;
}

function kindOf(text: string, isKey: boolean): JsonPiece['kind'] {
  if (text.startsWith('"')) return isKey ? 'key' : 'string';
  return /^[tfn]/.test(text) ? 'word' : 'number';
}
