import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand, programEnv } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Kills the processes that create the codes of a table, one after the other. */

const rows = 300;
const email = 'printer@example.org';
const server = await startServer();
afterAll(server.close);
await server.account(email);
const file = join(server.folder, 'table.csv');
writeFileSync(
  file,
  [
    'name,destination,note',
    ...Array.from({ length: rows }, (_, at) => `Box ${at},https://example.com/box/${at},`),
  ].join('\n'),
);

interface CodeList {
  readonly data: readonly { readonly name: string }[];
  readonly total: number;
}
const list = async (): Promise<CodeList> => {
  const outcome = await server.cli(['code', 'list', '--account', email, '--json']);
  return JSON.parse(outcome.stdout) as CodeList; // the command prints one
};
const importing = ['code', 'import', file, '--account', email, '--json'];

test('an import whose processes are killed creates each code once', async () => {
  const command = Bun.spawn([...programCommand(), ...importing], {
    env: programEnv({ WAYMARK_DATA: server.dataFolder, WAYMARK_PUBLIC_URL: server.origin }),
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await until(async () => (await list()).total > 50);
  command.kill('SIGKILL');
  await command.exited;
  const killedAt = (await list()).total;
  expect(killedAt).toBeLessThan(rows);

  // The server goes on once the lease of the command has expired.
  await until(async () => (await list()).total > killedAt + 50);
  await server.kill();
  const killedAgainAt = (await list()).total;
  expect(killedAgainAt).toBeLessThan(rows);

  await server.start();
  const { exitCode, stdout } = await server.cli(importing);
  const { created, existing, ...rest } = JSON.parse(stdout);
  expect([exitCode, rest]).toMatchObject([0, { rows, refused: [] }]);
  // What was created before is named.
  expect(existing).toBe(killedAgainAt);
  expect(created + existing).toBe(rows);
  const { data, total } = await list();
  expect(total).toBe(rows);
  expect(new Set(data.map(({ name }) => name)).size).toBe(rows);
  const again = await server.cli(importing.filter((argument) => argument !== '--json'));
  expect(again.stdout).toContain('300 rows, 0 refused, 300 there already, 0 codes created.');
});
