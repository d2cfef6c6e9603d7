import { startPostgres } from './postgres.ts';
import { startValkey } from './valkey.ts';

/**
 * Runs a command with a PostgreSQL and a Valkey server that all its tests share:
 * `bun run-on-postgres-and-valkey.ts bun test …`. Every server of a test has a database of its own on both.
 */
const [postgres, valkey] = await Promise.all([
  startPostgres({ max_connections: '1000' }),
  startValkey('--databases', '10000'),
]);
const command = Bun.spawn(process.argv.slice(2), {
  env: {
    ...process.env,
    WAYMARK_TEST_DATABASE: 'postgres',
    WAYMARK_TEST_POSTGRES: postgres.url,
    WAYMARK_TEST_VALKEY: valkey.url,
  },
  stdio: ['inherit', 'inherit', 'inherit'],
});
process.exitCode = await command.exited;
await Promise.all([postgres.close(), valkey.close()]);
