import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { startServer } from '../support/server.ts';
import { fieldsOf } from '../support/wire.ts';

// Links of this length need version 8, where the logo covers an alignment pattern.
const server = await startServer({ WAYMARK_SHORT_URL: `https://go.example.com/${'k'.repeat(41)}` });
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');

const letter =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><rect width="120" height="120" fill="#2a9d6f"/><path d="M35 20h55v16h-39v20h30v16h-30v20h39v16h-55z" fill="#0b3d2c"/></svg>';

test('a logo that misleads scanners is moved or reduced in every image of its code, and the check says so', async () => {
  const logo = join(server.folder, 'letter.png');
  await Bun.write(logo, new Resvg(letter).render().asPng());
  const set = await server.cli(['design', 'set', email, '--logo', logo, '--json']);
  const checked = fieldsOf(JSON.parse(set.stdout));
  expect(checked).toMatchObject({ readable: true, modules: 49 });
  expect(checked['logo_placement']).toBeDefined();
  expect(String(checked['reasons'])).toContain('The logo is drawn ');

  // With this logo, about one code in a hundred misleads at every placement. The server tries others then.
  const { code } = await api.create('https://example.org/printed');
  const { bytes, headers } = await api.call(`GET /qrs/${code}.svg`);
  // The ETag is the hash of the image that was checked at creation.
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(headers.get('etag')).toContain(digest.slice(0, 32));
  const { exitCode, stderr } = await server.cli(['verify', '--all']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});
