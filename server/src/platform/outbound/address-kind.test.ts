import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REFUSED_IPV4, REFUSED_IPV6 } from '../../../test/support/refused-urls.ts';
import { isOpenAddress, readAddressKind } from './address-kind.ts';

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
    assert.equal(readAddressKind('64:ff9b::127.0.0.1'), 'loopback');
    assert.equal(readAddressKind('fe80::1%eth0'), 'link-local');
    assert.equal(readAddressKind('::ffff:168.63.129.16'), 'metadata');
    assert.equal(readAddressKind('fd00:ec2:0:0::254'), 'metadata');
    assert.equal(readAddressKind('0.0.0.0'), 'reserved');
  });

  it('treats text that is not an address as reserved', () => {
    for (const text of ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '[::1]', '1.2.3.4 '])
      assert.equal(readAddressKind(text), 'reserved', text);
  });
});

describe('isOpenAddress', () => {
  it('allows this machine and its network in development, but not metadata addresses', () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '192.168.1.1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '100.64.0.1',
    ]) {
      assert.equal(isOpenAddress(address, true), true, address);
      assert.equal(isOpenAddress(address, false), false, address);
    }
    const never = ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fe80::1', '224.0.0.1'];
    for (const address of [...never, '0.0.0.0', '255.255.255.255', '192.0.2.1', '::ffff:169.254.169.254'])
      assert.equal(isOpenAddress(address, true), false, address);
  });
});
