import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

// What the shell gives the program in place of stderr.
const ends: [string, string][] = [
  ['a disk that is full', 'exec "$@" 2>/dev/full'],
  ['a reader that has ended', 'exec "$@" 2> >(:)'],
];

describe('a log that nobody takes', () => {
  test.each(ends)('to %s, ends no redirect', async (_, script) => {
    const folder = seeded.copyTo(newPath());
    const server = launch(folder, {
      through: ['bash', '-c', script, 'bash'],
      // Warned of at the start, before anything else.
      env: { WAYMARK_PUBLIC_ULR: 'https://qr.example.com' },
    });
    expect(await server.listening).toBe(true);
    for (let times = 0; times < 5; times++)
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    const { scans } = await createApi(server.origin, seeded.key).read(code);
    expect(scans).toBe(seeded.scans + 5);
    expect(server.output()).not.toContain('WAYMARK_PUBLIC_ULR');
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
