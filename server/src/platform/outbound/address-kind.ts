// Classifies IP addresses as public or not. Other addresses could be this machine or its private network.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'reserved';

/** Cloud metadata services outside of link-local; the first one is in a public range. */
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

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3'); // all ranges that IANA has allocated
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function readAddressKind(text: string): AddressKind {
  const family = isIP(text);
  if (family === 0) return 'reserved';
  if (family === 4) return readIPv4Kind(ipaddr.IPv4.parse(text));
  const address = ipaddr.IPv6.parse(writeInHex(text));
  if (address.isIPv4MappedAddress()) return readIPv4Kind(address.toIPv4Address());
  if (address.match(NAT64)) return readIPv4Kind(new ipaddr.IPv4(address.toByteArray().slice(12)));
  if (METADATA_ADDRESSES.has(address.toRFC5952String())) return 'metadata';
  // ipaddr.js counts ranges without a name as unicast: IPv4-compatible and unassigned addresses.
  const kind = KIND_OF_RANGE[address.range()] ?? 'reserved';
  return kind === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : kind;
}

/** ipaddr.js parses "::1.2.3.4" as "::ffff:1.2.3.4", which is another address. */
function writeInHex(text: string): string {
  return new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function readIPv4Kind(address: ipaddr.IPv4): AddressKind {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  return KIND_OF_RANGE[address.range()] ?? 'reserved';
}

/** Development allows this machine and its private network, but never metadata and link-local addresses. */
export function isOpenAddress(text: string, allowPrivate: boolean): boolean {
  const kind = readAddressKind(text);
  return kind === 'public' || (allowPrivate && (kind === 'private' || kind === 'loopback'));
}
