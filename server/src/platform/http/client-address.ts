// The address of the client behind reverse proxies. Each trusted proxy appends the address that it saw to X-Forwarded-For, so the
// header is read from its end. A client can invent everything before the first address that is not a trusted proxy.
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import { listRanges } from '../address-ranges.ts';

type Family = 'ipv4' | 'ipv6';
type Address = { readonly text: string; readonly family: Family };

const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i;

/** Undefined: the client uses a local socket. */
export function createClientAddress(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string | undefined {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress;
  const proxies = listRanges(trustedProxies);
  const isProxy = ({ text, family }: Address) => proxies.check(text, family);
  return ({ socket, headers }) => {
    let client = parseAddress(socket.remoteAddress ?? '');
    if (client === null) return socket.remoteAddress;
    // Node joins repeated headers with commas.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isProxy(client) && forwarded.length > 0) {
      const entry = forwarded.pop()?.trim() ?? '';
      if (entry === '') continue;
      const before = parseAddress(entry);
      if (before === null) break; // the proxy does not know its client, so the proxy itself is counted
      client = before;
    }
    return client.text;
  };
}

/** Some proxies append the client's port, with IPv6 in brackets. Null: not an address. */
function parseAddress(text: string): Address | null {
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  const version = isIP(address);
  if (version === 0 || (version === 4 && inBrackets !== undefined)) return null;
  if (version === 4) return { text: address, family: 'ipv4' };
  // One spelling for every way to write it, so that a client does not have several rate limits.
  return { text: new SocketAddress({ address, family: 'ipv6' }).address, family: 'ipv6' };
}
