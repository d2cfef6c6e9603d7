import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClientAddress, originOf } from '../../src/panel/routing/client-address.ts';
import { createPanelClient } from '../panel/client.ts';
import { startServer } from '../support/server.ts';

// Security check 11 (ASVS 4.1.3): who speaks is the peer, or whom a proxy of WAYMARK_TRUST_PROXY names.
// test/panel/client-address.test.ts has the plain cases and test/panel/https.test.ts a trusted proxy.
const server = await startServer();
afterAll(server.close);

const garbage = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.constantFrom('unknown', '_hidden', '"[2001:db8::1]"', '[::1', '1.2.3.4.5', '0x7f.1', '127.1'),
  fc.constantFrom('::ffff:10.0.0.1', '::ffff:a00:1', '10.0.0.1%eth0', '٠.٠.٠.٠', '10.0.0.1/8'),
);
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const client = '203.0.113.5';

describe('security check 11: behind a trusted proxy', () => {
  const behind = createClientAddress(['10.0.0.0/8', 'fd00::/8']);

  test('nothing that a client writes in front changes who it is', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(address, garbage), { maxLength: 30 }), (claimed) => {
        expect(behind('10.0.0.1', [...claimed, client].join(','))).toBe(client);
        expect(behind('fd00::1', [...claimed, client, '10.9.9.9'].join(', '))).toBe(client);
      }),
      { numRuns: 1000 },
    );
  });

  test('a stranger is who it is, whatever it writes', () => {
    fc.assert(
      fc.property(address, fc.array(fc.oneof(address, garbage)), (peer, claimed) => {
        fc.pre(!/^(10\.|fd)/i.test(peer));
        expect(createClientAddress([])(peer, claimed.join(','))).toBe(peer);
      }),
      { numRuns: 1000 },
    );
  });

  test('where the proxy names nobody that can be one, it stands for itself', () => {
    fc.assert(
      fc.property(garbage, (named) => {
        const found = behind('10.0.0.1', named);
        expect(originOf(found)).toBeString();
        if (!/^[\d.:a-f[\]]+$/i.test(named.trim())) expect(found).toBe('10.0.0.1');
      }),
      { numRuns: 1000 },
    );
  });

  test('a chain of a hundred thousand is read from its end', () => {
    const chain = `${'1.1.1.1, '.repeat(100_000)}${client}`;
    expect(behind('10.0.0.1', chain)).toBe(client);
  });
});

describe('security check 11: without a trusted proxy', () => {
  test('guesses are one stranger’s, whoever they claim to be', async () => {
    const statuses: number[] = [];
    const beginMs = performance.now();
    for (let guess = 0; guess < 60 && statuses.at(-1) !== 429; guess++) {
      const { status } = await createPanelClient(server.origin).post(
        '/account/sign-in',
        { email: `nobody${guess}@example.org`, password: 'a wrong guess' },
        {
          'X-Forwarded-For': `198.51.100.${guess}`,
          'X-Real-IP': `198.51.100.${guess}`,
          'CF-Connecting-IP': `198.51.100.${guess}`,
          'True-Client-IP': `198.51.100.${guess}`,
          Forwarded: `for=198.51.100.${guess}`,
        },
      );
      statuses.push(status);
    }
    // Each twenty seconds bring one try back, and on a busy machine the guesses take as long.
    const broughtBack = Math.floor((performance.now() - beginMs) / 20_000);
    const taken = statuses.length - 1;
    expect(taken).toBeWithin(30, 30 + broughtBack + 1);
    expect(statuses).toEqual([...Array<number>(taken).fill(422), 429]);
  }, 120_000);
});
