import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleOf } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

const files: readonly [setting: string, others: Readonly<Record<string, string>>][] = [
  [
    'WAYMARK_OIDC_CLIENT_SECRET_FILE',
    { WAYMARK_OIDC_ISSUER: 'https://login.example.org', WAYMARK_OIDC_CLIENT_ID: 'waymark' },
  ],
  ['WAYMARK_SAFE_BROWSING_KEY_FILE', { WAYMARK_SAFE_BROWSING: 'v5' }],
  ['WAYMARK_SECRET_KEY_FILE', {}],
];

const faults: Readonly<Record<string, (path: string) => void>> = {
  missing: () => {},
  empty: (path) => writeFileSync(path, ''),
  'a folder': (path) => mkdirSync(path),
};

const cases = files.flatMap((file) =>
  Object.keys(faults).map((fault) => [fault, ...file] as const),
);

// Of the sample, each setting has another fault.
test.concurrent.each(sampleOf(cases, files.length + 1))(
  'short links go on while the file of a secret is %s: %s',
  async (fault, setting, others) => {
    const folder = seeded.copyTo(newPath());
    const path = join(folder, 'secret');
    faults[fault]?.(path);
    const server = launch(folder, { env: { ...others, [setting]: path } });
    const health = async () => {
      const response = await fetch(`${server.origin}/healthz`).catch(() => null);
      return response?.text() ?? '';
    };
    await until(async () => (await health()).includes(setting));
    expect((await fetch(`${server.origin}/account`)).status).toBe(503);
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);

    // Nobody restarts the server.
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, 'a secret of more than thirty-two characters\n');
    await until(async () => (await fetch(`${server.origin}/account/sign-in`)).status === 200);
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    await server.stop();
  },
);

test('a start without a database names the file', async () => {
  const [[setting, others] = ['', {}]] = files;
  const server = launch(newPath(), { env: { ...others, [setting]: '/nowhere/secret' } });
  expect(await server.ended).toBe(2);
  expect(server.output()).toContain(`${setting} is "/nowhere/secret", which cannot be read`);
});
