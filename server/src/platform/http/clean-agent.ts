// Makes texts of a client fit to be stored and printed.

/** It names the program and its version; longer headers repeat libraries. */
const MAX_AGENT_LENGTH = 200;
/** Browsers and libraries send ASCII; anything else could change the terminal that prints it. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** The User-Agent header. */
export function cleanAgent(agent: string): string {
  return toPrintable(agent, MAX_AGENT_LENGTH);
}

export function toPrintable(text: string, maxLength: number): string {
  return text.replace(UNPRINTABLE, '?').slice(0, maxLength);
}
