import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { blockOf } from '../docs/blocks.ts';
import { decoders } from '../support/decoders.ts';
import { isInstalled } from '../support/installed.ts';
import { runCommand } from '../support/program.ts';
import { type Holder, type Server, startServer } from '../support/server.ts';

/** Runs the programs of docs/api-examples.md, word for word. */

interface Language {
  readonly block: string;
  readonly file: string;
  readonly command: readonly string[];
}

const languages: readonly Language[] = [
  { block: 'bash', file: 'example.sh', command: ['bash'] },
  { block: 'ts', file: 'example.ts', command: [process.execPath] },
  { block: 'python', file: 'example.py', command: ['python3'] },
  { block: 'php', file: 'example.php', command: ['php'] },
  { block: 'go', file: 'example.go', command: ['go', 'run'] },
];

let server: Server;
beforeAll(async () => {
  server = await startServer({ WAYMARK_RATE_LIMIT: '60' });
});
afterAll(() => server?.close());

describe.each(languages)(
  'the example in $block',
  ({ block, file, command: [tool = '', ...args] }) => {
    const isPresent = isInstalled(tool);

    async function run(holder: Pick<Holder, 'key'>, origin = server.origin) {
      const folder = await mkdtemp(join(server.folder, 'example-'));
      await Bun.write(join(folder, file), await blockOf('docs/api-examples.md', block));
      const env = { ...process.env, WAYMARK_URL: origin, WAYMARK_KEY: holder.key };
      const options = { cwd: folder, env, deadlineMs: 110_000 };
      return { folder, ...(await runCommand([tool, ...args, file], options)) };
    }

    test.skipIf(!isPresent)('creates, edits, lists and downloads', async () => {
      const holder = await server.account(`${block}@example.org`);
      const { code: first } = await holder.api.create('https://example.com/earlier');
      const { folder, stdout, stderr, exitCode } = await run(holder);
      expect([exitCode, stderr]).toEqual([0, '']);
      const { data } = await holder.api.list();
      const created = data.find(({ code }) => code !== first);
      expect(stdout).toBe(`created ${created?.url}\nscans 0\ntotal 2\n`);
      expect(created?.destination).toBe('https://example.com/menu-2');
      const png = await Bun.file(join(folder, 'menu.png')).bytes();
      const zbar = decoders.find(({ name }) => name === 'zbarimg');
      expect((await zbar?.read(png))?.text).toBe(created?.url ?? '');
      expect(await Bun.file(join(folder, 'menu.svg')).text()).toStartWith('<svg');
      await rm(folder, { recursive: true });
    });

    test.skipIf(!isPresent)('lists each code once while others are created', async () => {
      const { key, email, api } = await server.account(`${block}-busy@example.org`);
      const table = join(server.folder, `${block}.csv`);
      const rows = Array.from({ length: 199 }, (_, index) => `https://example.com/${index}\n`);
      await Bun.write(table, `url\n${rows.join('')}`);
      await server.cli(['code', 'import', table, '--account', email]);
      using between = Bun.serve({
        port: 0,
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url);
          if (search.includes('offset=100'))
            for (let count = 0; count < 3; count++) await api.create();
          const { method, headers, body } = request;
          const init = { method, headers, body, decompress: false };
          return fetch(server.origin + pathname + search, init);
        },
      });
      const { folder, stdout } = await run({ key }, between.url.origin);
      expect(stdout).toEndWith('\ntotal 200\n');
      await rm(folder, { recursive: true });
    });

    test.skipIf(!isPresent)('shows why a request is rejected', async () => {
      const holder = await server.account(`${block}-expired@example.org`);
      await server.cli(['account', 'plan', holder.email, '--until', '2020-01-01']);
      const { folder, stdout, stderr, exitCode } = await run(holder);
      expect(exitCode).not.toBe(0);
      expect(stdout + stderr).toContain('plan_required');
      await rm(folder, { recursive: true });
    });
  },
);
