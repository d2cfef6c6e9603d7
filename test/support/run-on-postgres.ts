import { startPostgres } from './postgres.ts';

/**
 * Runs a command with a PostgreSQL server that all its tests share: `bun run-on-postgres.ts bun test …`. Every server of
 * a test has a database of its own.
 */
const postgres = await startPostgres({ max_connections: '1000' });
const command = Bun.spawn(process.argv.slice(2), {
  env: {
    ...process.env,
    WAYMARK_TEST_DATABASE: 'postgres',
    WAYMARK_TEST_POSTGRES: postgres.url,
  },
  stdio: ['inherit', 'inherit', 'inherit'],
});
process.exitCode = await command.exited;
await postgres.close();
