// Classifies IP addresses as public or not. Other addresses could be this machine or its private network.
import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type AddressKind =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  /** Leads to an IPv4 address through a translator or a tunnel. */
  | 'embedded'
  | 'reserved';

/** No setting allows these. */
const NEVER_ALLOWED: ReadonlySet<AddressKind> = new Set([
  'link-local',
  'metadata',
  'unspecified',
  'multicast',
  'broadcast',
  'embedded',
]);

/** Cloud metadata services outside of link-local; the first one is in a public range. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:c1::a9fe:a9fe',
  'fd20:ce::254',
]);
const EC2_SERVICES = ipaddr.IPv6.parseCIDR('fd00:ec2::/32'); // metadata, credentials of pods, name server, time

const KIND_OF_RANGE: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
  unspecified: 'unspecified',
  multicast: 'multicast',
  broadcast: 'broadcast',
  rfc6052: 'embedded',
  rfc6145: 'embedded',
  '6to4': 'embedded',
  teredo: 'embedded',
};

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3'); // all ranges that IANA has allocated
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

export function readAddressKind(text: string): AddressKind {
  const address = parseAddress(text);
  if (address === null) return 'reserved';
  return address instanceof ipaddr.IPv4 ? readIPv4Kind(address) : readIPv6Kind(address);
}

/** Whether the operator's ranges allow the address. Ranges never allow the metadata service of a cloud, and the like. */
export function isInRanges(text: string, ranges: BlockList): boolean {
  const address = parseAddress(text);
  if (address === null || NEVER_ALLOWED.has(readAddressKind(text))) return false;
  return ranges.check(address.toString(), address.kind());
}

/** Null: not an address. An IPv4-mapped address is the IPv4 address. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return ipaddr.IPv4.parse(text);
  const address = ipaddr.IPv6.parse(writeInHex(text));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function readIPv6Kind(address: ipaddr.IPv6): AddressKind {
  // A name server of an IPv6-only network answers with such addresses (DNS64). They are for public addresses only (RFC 6052).
  if (address.match(NAT64)) {
    const isPublic = readIPv4Kind(new ipaddr.IPv4(address.toByteArray().slice(12))) === 'public';
    return isPublic ? 'public' : 'embedded';
  }
  if (METADATA_ADDRESSES.has(address.toRFC5952String()) || address.match(EC2_SERVICES)) return 'metadata';
  // ipaddr.js counts ranges without a name as unicast: IPv4-compatible and unassigned addresses.
  const kind = KIND_OF_RANGE[address.range()] ?? 'reserved';
  if (kind !== 'public' || address.match(GLOBAL_UNICAST)) return kind;
  return address.match(IPV4_COMPATIBLE) ? 'embedded' : 'reserved';
}

/** ipaddr.js parses "::1.2.3.4" as "::ffff:1.2.3.4", which is another address. */
function writeInHex(text: string): string {
  return new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function readIPv4Kind(address: ipaddr.IPv4): AddressKind {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  return KIND_OF_RANGE[address.range()] ?? 'reserved';
}
