import { afterAll, expect, test } from 'bun:test';
import { createPanelClient } from '../panel/client.ts';
import { startServer } from '../support/server.ts';

// Security check 11 (ASVS 4.1.3). test/panel/client-address.test.ts has the forms of X-Forwarded-For, and
// test/panel/https.test.ts a trusted proxy.
const server = await startServer();
afterAll(server.close);

test('without a trusted proxy, forwarding headers do not change who a guess is counted for', async () => {
  const statuses: number[] = [];
  const startMs = performance.now();
  for (let guess = 0; guess < 60 && statuses.at(-1) !== 429; guess++) {
    const address = `198.51.100.${guess}`;
    const { status } = await createPanelClient(server.origin).post(
      '/account/sign-in',
      { email: `nobody${guess}@example.org`, password: 'a wrong guess' },
      {
        'X-Forwarded-For': address,
        'X-Real-IP': address,
        'CF-Connecting-IP': address,
        'True-Client-IP': address,
        Forwarded: `for=${address}`,
      },
    );
    statuses.push(status);
  }
  // One attempt is allowed again every 20 seconds, and the guesses may take as long.
  const regained = Math.floor((performance.now() - startMs) / 20_000);
  const allowed = statuses.length - 1;
  expect(allowed).toBeWithin(30, 30 + regained + 1);
  expect(statuses).toEqual([...Array<number>(allowed).fill(422), 429]);
}, 120_000);
