import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeSite } from './fake-site.ts';

const root = join(import.meta.dir, '../..');

const document = async () => {
  const response = await fakeSite()(new Request('http://localhost/docs/json'));
  return (await response.json()) as {
    paths: Record<string, Record<string, { security?: unknown; responses: object }>>;
  };
};

describe('the OpenAPI document at /docs/json', () => {
  test('documents the five paths of the contract and their methods', async () => {
    const { paths } = await document();
    expect(
      Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])),
    ).toEqual({
      '/api/v1/qrs': ['post', 'get'],
      '/api/v1/qrs/{code}': ['get', 'patch'],
      '/api/v1/qrs/{code}/stats': ['get'],
      '/api/v1/qrs/{code}.png': ['get'],
      '/api/v1/qrs/{code}.svg': ['get'],
    });
  });

  test('leaves room for the fields of later versions, and names no default where there is none', async () => {
    const { components } = (await document()) as unknown as { components: { schemas: object } };
    const schemas = JSON.stringify(components.schemas);
    expect(schemas).toContain('"enum"');
    expect(schemas).not.toContain('"additionalProperties":false');
    expect(schemas).not.toContain('"default"');
  });

  test('every operation asks for the key and tells what happens without one', async () => {
    const { paths } = await document();
    for (const operation of Object.values(paths).flatMap(Object.values)) {
      expect(operation.security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['401', '402', '429']),
      );
    }
  });

  test('passes the recommended rules of Redocly, made strict', async () => {
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
    const said =
      (await new Response(linter.stdout).text()) + (await new Response(linter.stderr).text());
    const code = await linter.exited;
    await rm(folder, { recursive: true });
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).not.toContain('warning');
  }, 120_000);
});
