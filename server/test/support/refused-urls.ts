// Addresses that the service must never connect to: every special range of IANA's registries, in every notation a URL allows.

/** First, last and notable addresses of each special range. */
export const REFUSED_IPV4: readonly string[] = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255'], // this network
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ...['100.64.0.0', '100.127.255.255', '100.100.100.200'], // shared; Alibaba's metadata
  ...['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'], // link-local; metadata of most clouds
  ...['168.63.129.16'], // Azure's wire server, in a public range
  ...['192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.192', '192.0.0.255'], // IETF assignments; Oracle's metadata
  ...['192.0.2.0', '192.0.2.255', '198.51.100.1', '203.0.113.1'], // documentation
  ...['192.31.196.1', '192.175.48.1', '192.52.193.1', '192.88.99.1'], // AS112, AMT, 6to4 relays
  ...['198.18.0.0', '198.19.255.255'], // benchmarking
  ...['224.0.0.0', '224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
];

export const REFUSED_IPV6: readonly string[] = [
  ...['::', '::1'],
  ...['::127.0.0.1', '::10.0.0.1', '::8.8.8.8'], // IPv4-compatible: withdrawn, whatever it holds
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0.0.0.0', '::ffff:168.63.129.16'],
  ...['::ffff:7f00:1', '0:0:0:0:0:ffff:c0a8:1'],
  ...['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'], // translated
  ...['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '64:ff9b:1::808:808'], // NAT64
  ...['100::1', '100:0:0:1::1'], // discard only
  ...['2001::1', '2001:0:7f00:1::', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1'],
  ...['2001:20::1', '2001:30::1', '2001:1ff:ffff::1'], // Teredo and the rest of the protocol assignments
  ...['2001:db8::1', '3fff::1', '3fff:fff:ffff::1'], // documentation
  ...['2002::1', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'], // 6to4
  ...['2620:4f:8000::1', '4000::1', '5f00::1', '8000::1', 'e000::1'], // AS112, unassigned, segment routing
  ...['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1'], // unique local; metadata
  ...['fe80::1', 'febf::1', 'fec0::1', 'feff::1', 'fe00::1'], // link-local, site-local, unassigned
  ...['ff00::1', 'ff02::1', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

/** Other notations, and names that resolve to internal addresses. A URL that does not parse is rejected too. */
const REFUSED_HOSTS: readonly string[] = [
  ...['2130706433', '0x7f000001', '017700000001', '0x7f.0.0.1', '0177.0.0.1', '0177.0.0.01', '127.1', '127.0.1', '0'],
  ...['0x7f.1', '0x0', '00', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '0xa9.254.169.254', '169.254.43518'],
  ...['10.1', '0xa.0.0.1', '012.0.0.1', '3232235521', '192.168.257', '0xc0a80001', '4294967295', '0xffffffff'],
  ...['127.0.0.1.', '127.1.', '2130706433.', '0x7f000001.', '10.0.0.1.'],
  ...['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '１２７。１', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '0ｘ7f.1'],
  ...['%31%32%37.0.0.1', '%6c%6f%63alhost', '127.0.0.1%00.example.com'],
  ...['[::1%25lo]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[0:0:0:0:0:0:0:1]', '[::0001]', '[::ffff:127.1]'],
  ...['[::ffff:7f00:0001]', '[0000:0000:0000:0000:0000:ffff:7f00:0001]', '[::FFFF:A9FE:A9FE]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'foo.localhost', 'foo.localhost.', 'ｌｏｃａｌｈｏｓｔ'],
  ...['localhost.localdomain', 'localhost6', 'ip6-localhost', 'ip6-loopback', 'loc\talhost', 'local\u00adhost'],
  ...['printer.local', 'printer.local.', 'PRINTER.Local', 'db.internal', 'db.internal.', 'a.b.internal'],
  ...['metadata.google.internal', 'metadata.google.internal.', 'metadata', 'metadata.', 'instance-data'],
  ...['instance-data.ec2.internal', 'kubernetes', 'host.docker.internal', 'gateway.docker.internal'],
  ...['internal', 'local', '.', '..', '.local', '.localhost'],
];

export function listRefusedUrls(port: number): string[] {
  const hosts = [...REFUSED_IPV4, ...REFUSED_IPV6.map((address) => `[${address}]`), ...REFUSED_HOSTS];
  return hosts.map((host) => `https://${host}:${port}/hook`);
}
