// Lists of addresses and CIDR ranges in settings: trusted proxies, networks with webhook receivers.
import { BlockList, isIP } from 'node:net';

/** Throws if the text is not an address or a range; the message completes "NAME …". */
export function readAddressRange(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  if (family === 0 || !isPrefix || rest.length > 0)
    throw new Error(`names "${text}"; list addresses or ranges such as 10.0.0.0/8.`);
  return text;
}

export function listRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}
