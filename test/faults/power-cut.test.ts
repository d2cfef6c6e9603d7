import { Database } from 'bun:sqlite';
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRows } from '../../src/sqlite/maintenance/integrity.ts';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { databaseFile, type Examined, examinePowerCuts } from './power-cut.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';
import { traceCalls, traceFlags } from './write-trace.ts';

setDefaultTimeout(600_000);

// `WAYMARK_POWER_CUTS=20 bun test test/faults/power-cut.test.ts` is the long form: twenty times the work, and a cut after every second write.
const scale = Number(process.env['WAYMARK_POWER_CUTS'] ?? 1);
const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 2);
const code = seeded.codes[0]?.code ?? '';

/** The same numbers every time, evenly spread. */
function createChance(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

async function cutsUnder(durability: string, turns: number): Promise<Examined> {
  const folder = seeded.copyTo(newPath());
  const database = new Database(join(folder, 'waymark.db'));
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const { qrs, hits } = countRows(database);
  database.close();
  const before = { file: databaseFile(folder), codes: qrs, hits };
  const log = newPath();
  const server = launch(folder, {
    env: { WAYMARK_DURABILITY: durability },
    through: tracing([traceCalls], { log, flags: traceFlags }),
  });
  expect(await server.listening).toBe(true);
  const api = createApi(server.origin, seeded.key);
  for (let turn = 0; turn < turns; turn++) {
    await api.create(`https://example.org/${turn}`);
    const link = `${server.origin}/${code}`;
    await Promise.all([visit(link), visit(link), visit(link)]);
  }
  server.signal('SIGKILL');
  await server.ended;
  const examination = { every: scale > 1 ? 2 : 12, chance: createChance() };
  return examinePowerCuts(readFileSync(log, 'utf8'), before, newPath(), examination);
}

test.skipIf(!canTrace)(
  'a power cut at any moment leaves everything that was answered',
  async () => {
    const turns = 13 * scale;
    const { problems, images, torn, answers } = await cutsUnder('power', turns);
    if (scale > 1) console.log({ images, torn, answers });
    expect(problems).toEqual([]);
    expect(answers).toBeGreaterThanOrEqual(4 * turns);
    // At least one sync for each create and one for the visits after it, and two images torn before each.
    expect(torn).toBeGreaterThanOrEqual(2 * 2 * turns);
    expect(torn).toBeGreaterThan(50);
  },
);

// That the examination would see a loss.
test.skipIf(!canTrace)('with durability process it does not', async () => {
  const { problems } = await cutsUnder('process', 4);
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/were answered, \d+ and \d+ are there$/);
});
