import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canTrace } from '../faults/strace.ts';
import { signedIn } from '../panel/client.ts';
import { programCommand } from '../support/program.ts';
import { type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

// Security checks 36 and 37 (ASVS 13.2, 15.3.2): outbound connections and file modes.

/** Uses every part of the server once, and some commands. */
async function useServer(server: Server): Promise<void> {
  const ben = 'ben@example.org';
  for (const command of ['account create', 'key generate', 'code create https://a.b --account'])
    expect((await server.cli([...command.split(' '), ben])).exitCode).toBe(0);
  const { api } = await server.account('alice@example.org');
  const { code, url } = await api.create('https://example.org/?q=http://192.0.2.1/');
  await api.call(`PATCH /qrs/${code}`, { url: 'https://phishing.example/' });
  for (const path of [code, `${code}.png`, `${code}.svg`, `${code}/stats`])
    await api.call(`GET /qrs/${path}`);
  await visit(url);
  for (const path of ['/docs', '/docs/json', '/docs/swagger-ui.js', '/healthz', '/metrics'])
    await visit(server.origin + path);
  const holder = await signedIn(server, 'anna@example.org', { isOperator: true });
  const logo = new File(
    [
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://192.0.2.1/x.png" width="9" height="9"/></svg>',
    ],
    'logo.svg',
  );
  await holder.post('/account/design', { csrf: await holder.csrf(), do: 'preview', logo });
  await holder.post('/account/codes', { csrf: await holder.csrf(), url: 'http://192.0.2.1/' });
}

const folder = await mkdtemp(join(tmpdir(), 'waymark-outbound-'));
const umask = process.umask(0o022);
const binary = process.env['WAYMARK_BIN'];
let server: Server;

beforeAll(async () => {
  if (canTrace) {
    const command = programCommand().map((part) => `'${part}'`);
    // With -D, signals reach the program and not strace.
    const tracing = `-D -f -qq -e trace=connect -o '${join(folder, 'trace')}.'$$`;
    const traced = join(folder, 'traced');
    await Bun.write(traced, `#!/bin/sh\nexec strace ${tracing} ${command.join(' ')} "$@"\n`);
    await chmod(traced, 0o755);
    process.env['WAYMARK_BIN'] = traced;
  }
  server = await startServer();
  await useServer(server);
});
afterAll(async () => {
  if (binary === undefined) delete process.env['WAYMARK_BIN'];
  else process.env['WAYMARK_BIN'] = binary;
  process.umask(umask);
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('security check 37: files are readable by their owner only, whatever the umask', async () => {
  await Bun.write(join(server.folder, 'list.txt'), 'evil.example\n');
  await server.cli(['safety', 'import', 'list.txt', '--source', 'mine']);
  await server.cli(['backup', join(server.dataFolder, 'backup.db')]);
  const paths = await readdir(server.dataFolder, { recursive: true });
  expect(paths.length).toBeGreaterThan(4);
  for (const path of ['.', ...paths]) {
    const { mode } = await stat(join(server.dataFolder, path));
    expect(`${path} ${(mode & 0o077).toString(8)}`).toBe(`${path} 0`);
  }
});

test.skipIf(!canTrace)(
  'security check 36: without a remote check configured, no process connects to the network',
  async () => {
    await server.stop();
    const files = (await readdir(folder)).filter((name) => name.startsWith('trace.'));
    // The server and each of the commands.
    expect(files.length).toBeGreaterThan(3);
    const texts = files.map((name) => Bun.file(join(folder, name)).text());
    expect((await Promise.all(texts)).join('')).not.toMatch(/connect\(\d+, \{sa_family=AF_INET/);
  },
);
