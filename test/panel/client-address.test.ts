import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClientAddress, networkOf } from '../../src/panel/request/client-address.ts';

const behindProxies = createClientAddress(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);

describe("the client's address is", () => {
  test.each([
    ['the peer itself without a proxy', '203.0.113.5', null, '203.0.113.5'],
    ['the peer if it is no trusted proxy', '203.0.113.5', '1.1.1.1', '203.0.113.5'],
    ['the peer of the proxy', '10.1.2.3', '203.0.113.5', '203.0.113.5'],
    ['not an address that the client sent', '10.1.2.3', '1.1.1.1, 203.0.113.5', '203.0.113.5'],
    [
      'the right-most that is no proxy',
      '10.1.2.3',
      '1.1.1.1, 203.0.113.5, 192.0.2.7',
      '203.0.113.5',
    ],
    ['the proxy without a header', '10.1.2.3', null, '10.1.2.3'],
    ['the proxy with an invalid header', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['the left-most if all are proxies', '10.1.2.3', '10.9.9.9', '10.9.9.9'],
    ['of IPv6', '2001:db8::1', '2606:4700::1111', '2606:4700::1111'],
    ['in brackets with a port', '10.1.2.3', '[2606:4700::1111]:8443', '2606:4700::1111'],
    ['with a port', '10.1.2.3', '203.0.113.5:5123', '203.0.113.5'],
    ['IPv4-mapped IPv6', '::ffff:10.1.2.3', '::ffff:203.0.113.5', '203.0.113.5'],
  ])('%s', (_, peer, forwardedFor, client) => {
    expect(behindProxies(peer, forwardedFor)).toBe(client);
  });

  test('never one that the client forged', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4()), (claimed) => {
        const header = [...claimed, '203.0.113.5'].join(', ');
        expect(behindProxies('10.0.0.1', header)).toBe('203.0.113.5');
      }),
    );
  });

  test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8'])(
    '%p is no proxy',
    (network) => {
      expect(() => createClientAddress([network])).toThrow(network);
    },
  );
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
  ['2001::1:2:3:4:5:6', '2001:0:1:2::/64'],
  ['::1:2:3:4:5:6:7', '0:1:2:3::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the network of %s is %s', (address, origin) => {
  expect(networkOf(address)).toBe(origin);
});
