// Finds where a text stops being JSON. Pure.

/** The column of the fault, from 1. */
export function findJsonFault(text: string): number {
  const position = positionOf(text);
  if (position !== null) return position + 1;
  // The engine names no position for an unexpected token: search for the shortest beginning that no ending can make valid.
  let valid = 0;
  let faulty = text.length;
  while (faulty - valid > 1) {
    const middle = Math.floor((valid + faulty) / 2);
    if (canContinue(text.slice(0, middle))) valid = middle;
    else faulty = middle;
  }
  return canContinue(text) ? text.length + 1 : faulty;
}

function canContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return /^Unexpected end|^Unterminated/.test(message) || readPosition(message) === text.length;
  }
}

function positionOf(text: string): number | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return readPosition((error as Error).message);
  }
}

function readPosition(message: string): number | null {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? null : Number(position);
}
