import { expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { requireOwnSessions } from '../../src/postgres/database/pooler.ts';
import { freePort } from '../support/free-port.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { isCompleteRun } from '../support/sample.ts';
import { until } from '../support/until.ts';

const program = Bun.which('pgbouncer') ?? Bun.which('/usr/sbin/pgbouncer');
const canRun = hasPostgres && (program !== null || process.env['CI'] === 'true');

/** Runs PgBouncer in front of a new database, and passes the URL through it. */
async function throughPooler(settings: string, use: (url: string) => Promise<void>): Promise<void> {
  const direct = new URL(await (await sharedPostgres()).createDatabase());
  const database = direct.pathname.slice(1);
  const folder = mkdtempSync(join(tmpdir(), 'waymark-pooler-'));
  chmodSync(folder, 0o755);
  const port = freePort();
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const users = write('users.txt', `"${direct.username}" "${direct.password}"\n`);
  const config = write(
    'pgbouncer.ini',
    `[databases]
${database} = host=127.0.0.1 port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
${settings}
`,
  );
  // It refuses to run as root.
  const asUser =
    userInfo().uid === 0
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
      : [];
  const pooler = Bun.spawn([...asUser, program ?? 'pgbouncer', config], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const through = Object.assign(new URL(direct), { port: String(port) }).href;
  try {
    await until(async () => {
      const sql = new SQL(through, { max: 1, prepare: false });
      return sql
        .unsafe('SELECT 1')
        .then(
          () => true,
          () => false,
        )
        .finally(() => sql.close());
    });
    await use(through);
  } finally {
    pooler.kill();
    await pooler.exited;
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!canRun || !isCompleteRun).each([0, 1])(
  'a pooler in transaction mode is refused with what to do, and one in session mode is not: round robin %i',
  async (roundRobin) => {
    const settings = (mode: string) => `pool_mode = ${mode}\nserver_round_robin = ${roundRobin}`;
    await throughPooler(settings('transaction'), async (url) => {
      for (let times = 0; times < 3; times++)
        await expect(requireOwnSessions(url)).rejects.toThrow(/transaction mode.*session mode/);
    });
    await throughPooler(settings('session'), async (url) => {
      for (let times = 0; times < 3; times++) await requireOwnSessions(url);
    });
  },
);
