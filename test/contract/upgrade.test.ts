import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createPanelClient } from '../panel/client.ts';
import { keptSchemas, unpack } from '../stores/fixtures/fixture.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const publicUrl = 'https://qr.example.com';

describe.each(keptSchemas)('a database that a program with the schema %s has made', (schema) => {
  test('is served as that program served it: records, counts, images, key and password', async () => {
    const server = await startServer({ WAYMARK_PUBLIC_URL: publicUrl });
    try {
      await server.stop();
      await rm(server.dataFolder, { recursive: true });
      const { key, email, password, records, svgDigests } = await unpack(schema, server.dataFolder);
      await server.start();
      // The programs of that time noted neither themselves nor what they drew with.
      if (schema < '0003') expect(server.log()).toContain('upgrade from an earlier version');
      const api = server.api(key);

      const { data, total } = await api.list();
      expect(total).toBe(records.length);
      expect(data.toReversed()).toEqual([...records]);
      for (const [place, { code }] of records.entries()) {
        const { bytes } = await api.call(`GET /qrs/${code}.svg`);
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(svgDigests[place] ?? '');
      }
      const panel = await createPanelClient(server.origin).post('/account/sign-in', {
        email,
        password,
      });
      expect(panel.status).toBe(303);

      for (const { code, url, destination, status, scans } of records) {
        const followed = await visit(`${server.origin}${new URL(url).pathname}`);
        if (status === 'active') {
          expect(followed.status).toBe(302);
          expect(followed.to).toBe(new URL(destination).href);
          expect((await api.read(code)).scans).toBe(scans + 1);
        } else expect(followed.status).toBe(410);
      }
      expect((await server.cli(['verify', '--all', '--json'])).exitCode).toBe(0);
    } finally {
      await server.close();
    }
  });
});

/** A server that is stopped, with a database of an older schema in its data folder. */
async function stoppedBefore(schema: string): Promise<Server> {
  const server = await startServer({ WAYMARK_PUBLIC_URL: publicUrl });
  await server.stop();
  await rm(server.dataFolder, { recursive: true });
  await unpack(schema, server.dataFolder);
  return server;
}

describe('a start that the settings do not allow leaves the schema as it was', () => {
  test('where printed codes would lead nowhere', async () => {
    const server = await stoppedBefore('0003_programs');
    try {
      const path = join(server.dataFolder, 'waymark.db');
      const before = await Bun.file(path).bytes();
      const refused = await server
        .start({ WAYMARK_SHORT_URL: 'https://other.example' })
        .catch(String);
      expect(refused).toContain(`Codes were printed with short links at ${publicUrl}`);
      expect(Buffer.from(await Bun.file(path).bytes()).equals(before)).toBe(true);
      await server.start();
    } finally {
      await server.close();
    }
  });

  test('where the port is taken', async () => {
    const server = await stoppedBefore('0003_programs');
    const port = freePort();
    const other = Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } });
    try {
      const path = join(server.dataFolder, 'waymark.db');
      const before = await Bun.file(path).bytes();
      const refused = await server.start({ WAYMARK_PORT: String(port) }).catch(String);
      expect(refused).toContain(`cannot listen on 127.0.0.1 port ${port}: another program uses it`);
      expect(Buffer.from(await Bun.file(path).bytes()).equals(before)).toBe(true);
    } finally {
      other.stop(true);
      await server.close();
    }
  });
});

test('a program that draws differently leaves the schema as it was, until the operator accepts it', async () => {
  const server = await stoppedBefore('0002_flags');
  try {
    const path = join(server.dataFolder, 'waymark.db');
    const older = new Database(path);
    older.run('UPDATE qrs SET image_hash = zeroblob(32) WHERE id = 3');
    older.close();
    const before = await Bun.file(path).bytes();
    expect(await server.start().catch(String)).toContain('draws 1 of 5 codes differently');
    const listed = await server.cli(['account', 'list']);
    expect([listed.exitCode, listed.stderr]).toEqual([
      1,
      expect.stringContaining('was last used by an earlier version'),
    ]);
    expect(Buffer.from(await Bun.file(path).bytes()).equals(before)).toBe(true);
    expect((await server.cli(['verify', '--accept'])).exitCode).toBe(0);
    expect((await server.cli(['account', 'list'])).exitCode).toBe(0);
    await server.start();
  } finally {
    await server.close();
  }
});
