import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { inspect } from '../../src/compose/inspection.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
for (let count = 0; count < 20; count++) await api.create();
await server.stop();

const database = new Database(join(server.dataFolder, 'waymark.db'));
database.run("INSERT INTO programs (version, renderer, since) VALUES ('0.0.9', 'other', 0)");
afterAll(() => database.close());

/** Looks at the database as a start does, on a machine that has no thread left to draw with. */
async function inspectWithoutWorkers() {
  const lines: string[] = [];
  let tries = 0;
  const isProven = await inspect(
    { data: server.dataFolder, shortUrl: server.origin, shortUrlAliases: [] },
    {
      startRenderWorker: () => {
        tries++;
        throw new Error('no thread left');
      },
      log: createLogger('text', Date.now, (line) => lines.push(line)),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      beforeUpgrade: () => {
        throw new Error('the schema is up to date');
      },
    },
  );
  return { isProven, tries, log: lines.join('\n') };
}

describe('a start after an upgrade, where no picture can be drawn', () => {
  test('goes on, because redirects need none, and says that nothing is proven', async () => {
    const { isProven, log } = await inspectWithoutWorkers();
    expect(isProven).toBe(false);
    expect(log).toContain('taking over from 0.0.9: no code could be drawn');
    expect(log).toContain('no thread left');
    expect(log).not.toContain('as it was printed');
  });

  test('does not try all codes of the sample', async () => {
    expect((await inspectWithoutWorkers()).tries).toBeLessThan(20);
  });
});
