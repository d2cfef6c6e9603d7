import { expect, test } from 'bun:test';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

test.each([
  ['a full disk', 'exec "$@" 2>/dev/full'],
  ['a closed pipe', 'exec "$@" 2> >(:)'],
])('redirects go on while the log goes to %s', async (_, script) => {
  const server = await serve(seeded.copyTo(newPath()), {
    through: ['bash', '-c', script, 'bash'],
    // Causes a warning at the start.
    env: { WAYMARK_PUBLIC_ULR: 'https://qr.example.com' },
  });
  for (let times = 0; times < 5; times++)
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  const { scans } = await createApi(server.origin, seeded.key).read(code);
  expect(scans).toBe(seeded.scans + 5);
  expect(server.output()).not.toContain('WAYMARK_PUBLIC_ULR');
  await server.stop();
});
