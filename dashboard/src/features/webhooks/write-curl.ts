// The request of an attempt as a command.
import type { InspectedDelivery } from './queries.ts';

type Header = InspectedDelivery['attempts'][number]['request_headers'][number];

export function writeCurl(url: string, headers: readonly Header[], body: string | null): string {
  const lines = [
    `curl -X POST ${quote(url)}`,
    ...headers.map(({ name, value }) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
