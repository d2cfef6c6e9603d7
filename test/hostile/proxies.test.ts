import { afterAll, expect, test } from 'bun:test';
import { createPanelClient } from '../panel/client.ts';
import { startServer } from '../support/server.ts';

// Security check 11 (ASVS 4.1.3). test/panel/client-address.test.ts has the forms of X-Forwarded-For, and
// test/panel/https.test.ts a trusted proxy.
const server = await startServer();
afterAll(server.close);

test('without a trusted proxy, forwarding headers do not change who a guess is counted for', async () => {
  const guess = async (index: number) => {
    const address = `198.51.100.${index}`;
    const { status } = await createPanelClient(server.origin).post(
      '/account/sign-in',
      { email: `nobody${index}@example.org`, password: 'a wrong guess' },
      {
        'X-Forwarded-For': address,
        'X-Real-IP': address,
        'CF-Connecting-IP': address,
        'True-Client-IP': address,
        Forwarded: `for=${address}`,
      },
    );
    return status;
  };
  const startMs = performance.now();
  // More than a few concurrent password checks are rejected as overload.
  for (let index = 0; index < 30; index += 2)
    expect(await Promise.all([guess(index), guess(index + 1)])).toEqual([422, 422]);
  // One attempt is allowed again every 20 seconds.
  const regained = Math.floor((performance.now() - startMs) / 20_000);
  for (let index = 0; index < regained; index++) await guess(30 + index);
  expect(await guess(99)).toBe(429);
});
