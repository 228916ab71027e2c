// Which addresses belong to the public internet. Everything else could be a neighbour of ours, or we ourselves.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'reserved';

/** Cloud metadata services outside of link-local; the first is even in the midst of public addresses. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

const KIND_OF_RANGE: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
};

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3'); // all that IANA has given out
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function readAddressKind(text: string): AddressKind {
  const family = isIP(text);
  if (family === 0) return 'reserved';
  if (family === 4) return readIPv4Kind(ipaddr.IPv4.parse(text));
  const address = ipaddr.IPv6.parse(writeInHex(text));
  if (address.isIPv4MappedAddress()) return readIPv4Kind(address.toIPv4Address());
  if (address.match(NAT64)) return readIPv4Kind(new ipaddr.IPv4(address.toByteArray().slice(12)));
  if (METADATA_ADDRESSES.has(address.toRFC5952String())) return 'metadata';
  // Ranges that ipaddr.js has no name for count as unicast there: IPv4-compatible addresses and all that is unassigned.
  const kind = KIND_OF_RANGE[address.range()] ?? 'reserved';
  return kind === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : kind;
}

/** ipaddr.js takes "::1.2.3.4" for "::ffff:1.2.3.4", which is another address. */
function writeInHex(text: string): string {
  return new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function readIPv4Kind(address: ipaddr.IPv4): AddressKind {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  return KIND_OF_RANGE[address.range()] ?? 'reserved';
}

/** In development the own machine and the own network are open; metadata and link-local addresses never are. */
export function isOpenAddress(text: string, allowPrivate: boolean): boolean {
  const kind = readAddressKind(text);
  return kind === 'public' || (allowPrivate && (kind === 'private' || kind === 'loopback'));
}
