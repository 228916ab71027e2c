import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REFUSED_IPV4, REFUSED_IPV6 } from '../../../test/support/refused-urls.ts';
import { listRanges } from '../address-ranges.ts';
import { isInRanges, readAddressKind } from './address-kind.ts';

/** Just outside of the special ranges, and public addresses inside of others. */
const PUBLIC = [
  ...['1.0.0.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '168.63.129.15', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '3ffe::1'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
];

describe('readAddressKind', () => {
  it('treats all addresses except special ones as public', () => {
    for (const address of [...REFUSED_IPV4, ...REFUSED_IPV6])
      assert.notEqual(readAddressKind(address), 'public', address);
    for (const address of PUBLIC) assert.equal(readAddressKind(address), 'public', address);
  });

  it('distinguishes the kinds', () => {
    assert.equal(readAddressKind('10.0.0.1'), 'private');
    assert.equal(readAddressKind('100.64.0.1'), 'private');
    assert.equal(readAddressKind('fd00::1'), 'private');
    assert.equal(readAddressKind('::ffff:127.0.0.1'), 'loopback');
    assert.equal(readAddressKind('64:ff9b::127.0.0.1'), 'embedded');
    assert.equal(readAddressKind('fe80::1%eth0'), 'link-local');
    assert.equal(readAddressKind('::ffff:168.63.129.16'), 'metadata');
    assert.equal(readAddressKind('fd00:ec2:0:0::254'), 'metadata');
    assert.equal(readAddressKind('fd00:ec2::23'), 'metadata');
    assert.equal(readAddressKind('fd00:c1::a9fe:a9fe'), 'metadata');
    assert.equal(readAddressKind('64:ff9b::a9fe:a9fe'), 'embedded');
    for (const address of ['2002:7f00:1::', '2001::1', '::ffff:0:127.0.0.1', '64:ff9b:1::1', '::10.0.0.1'])
      assert.equal(readAddressKind(address), 'embedded', address);
    for (const address of ['0.0.0.0', '0.1.2.3', '::']) assert.equal(readAddressKind(address), 'unspecified', address);
    for (const address of ['224.0.0.1', 'ff02::1']) assert.equal(readAddressKind(address), 'multicast', address);
    assert.equal(readAddressKind('255.255.255.255'), 'broadcast');
    assert.equal(readAddressKind('192.0.2.1'), 'reserved');
  });

  it('treats text that is not an address as reserved', () => {
    for (const text of ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '[::1]', '1.2.3.4 '])
      assert.equal(readAddressKind(text), 'reserved', text);
  });
});

describe('isInRanges', () => {
  it('is true for addresses of a range, in every notation', () => {
    const ranges = listRanges(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
    for (const address of ['10.0.0.1', '10.255.255.255', '::ffff:10.0.0.1', '::ffff:a00:1', '192.0.2.1', 'fdab::1'])
      assert.equal(isInRanges(address, ranges), true, address);
    for (const address of ['11.0.0.0', '9.255.255.255', '192.0.2.2', 'fc00::1', '127.0.0.1', '10.1', '', 'localhost'])
      assert.equal(isInRanges(address, ranges), false, address);
  });

  it('is never true for link-local, metadata, unspecified, multicast, broadcast and embedding addresses', () => {
    const everything = listRanges(['0.0.0.0/0', '::/0']);
    const never = [
      ...['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254'],
      ...['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
      ...['0.0.0.0', '0.0.0.1', '::', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1', '255.255.255.255'],
      ...['64:ff9b::169.254.169.254', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:a9fe:a9fe::', '2001::1', '::10.0.0.1'],
    ];
    for (const address of never) assert.equal(isInRanges(address, everything), false, address);
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', '100.64.0.1', 'fd00::1', '8.8.8.8', '198.18.0.1'])
      assert.equal(isInRanges(address, everything), true, address);
  });
});
