import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';

const root = join(import.meta.dir, '../..');

const server = await startServer();
afterAll(server.close);

const document = async () => {
  const response = await fetch(`${server.origin}/docs/json`);
  return (await response.json()) as {
    components: { schemas: object };
    paths: Record<string, Record<string, { security?: unknown; responses: object }>>;
  };
};

describe('the OpenAPI document at /docs/json', () => {
  test('allows further fields in responses and has no defaults for enumerations', async () => {
    const { components } = await document();
    const schemas = JSON.stringify(components.schemas);
    expect(schemas).toContain('"enum"');
    expect(schemas).not.toContain('"additionalProperties":false');
    expect(schemas).not.toContain('"default"');
  });

  test('every operation requires the key and documents 401, 402 and 429', async () => {
    const { paths } = await document();
    for (const operation of Object.values(paths).flatMap(Object.values)) {
      expect(operation.security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['401', '402', '429']),
      );
    }
  });

  test('passes the Redocly rules without warnings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await document()));
    const linter = Bun.spawn(
      [process.execPath, 'x', '--bun', 'redocly', 'lint', '--config', 'redocly.yaml', file],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    );
    const output =
      (await new Response(linter.stdout).text()) + (await new Response(linter.stderr).text());
    const code = await linter.exited;
    await rm(folder, { recursive: true });
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).not.toContain('warning');
  }, 120_000);
});
