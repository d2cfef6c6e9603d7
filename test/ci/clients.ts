import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Env, outputOf } from '../support/program.ts';
import { type Server, startServer } from '../support/server.ts';

/**
 * Generates typed clients from the OpenAPI document, type-checks them and runs them against a server. The
 * generators are packages beside the repository: WAYMARK_CLIENT_TOOLS is the folder of their node_modules.
 */

const tools = process.env['WAYMARK_CLIENT_TOOLS'];
const isPresent = tools !== undefined || process.env['CI'] === 'true';

const clients = [
  { name: 'openapi-fetch', generate: ['openapi-typescript', 'openapi.json', '-o', 'generated.ts'] },
  { name: 'hey-api', generate: ['openapi-ts', '-i', 'openapi.json', '-o', 'generated'] },
] as const;

const expected = {
  listedAll: true,
  edited: 'https://example.com/edited',
  read: { destination: 'https://example.com/edited', last_scan: null },
  scans: 0,
  png: true,
  svg: true,
  errors: [
    '400 invalid_json',
    '400 invalid_url',
    '422 unsafe_url',
    '404 not_found',
    '401 unauthorized',
    '402 plan_required',
    '422 design_unreadable',
    '429 rate_limited',
  ],
};

let server: Server;
beforeAll(async () => {
  if (!isPresent) return;
  server = await startServer({ WAYMARK_RATE_LIMIT: '60' });
  await server.cli(['safety', 'block', 'blocked.example']);
});
afterAll(() => server?.close());

describe.skipIf(!isPresent).each(clients)('the client of $name', ({ name, generate }) => {
  test('does everything that the API offers, with types', async () => {
    const folder = join(server.folder, name);
    const modules = join(tools ?? '', 'node_modules');
    await mkdir(folder);
    await symlink(modules, join(folder, 'node_modules'));
    for (const file of [`${name}.ts`, 'scenario.ts'])
      await copyFile(join(import.meta.dir, 'clients', file), join(folder, file));
    await Bun.write(join(folder, 'package.json'), '{"type":"module"}');
    await Bun.write(join(folder, 'openapi.json'), await fetch(`${server.origin}/docs/json`));

    const run = (command: readonly string[], env: Env = {}) =>
      outputOf(command, { cwd: folder, env: { ...process.env, ...env }, deadlineMs: 110_000 });
    const [generator, ...args] = generate;
    await run([process.execPath, join(modules, '.bin', generator), ...args]);
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'];
    const options = ['--noEmit', '--target', 'esnext', '--module', 'preserve', '--types', 'node'];
    const typescript = [join(modules, '.bin', 'tsc'), '--allowImportingTsExtensions'];
    await run([process.execPath, ...typescript, ...options, ...strict, `${name}.ts`]);

    const [holder, expired, unreadable] = [
      await server.account(`${name}@example.org`),
      await server.account(`${name}-expired@example.org`),
      await server.account(`${name}-unreadable@example.org`),
    ];
    await server.cli(['account', 'plan', expired.email, '--until', '2020-01-01']);
    await server.cli(['design', 'set', unreadable.email, '--foreground', '#ffffff']);
    const printed = await run([process.execPath, `${name}.ts`], {
      ORIGIN: server.origin,
      KEY: holder.key,
      EXPIRED_KEY: expired.key,
      UNREADABLE_KEY: unreadable.key,
    });
    expect(JSON.parse(printed)).toEqual(expected);
  });
});
