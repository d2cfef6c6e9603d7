import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { brokenAnswers, brokenPromises, prepareMixedLoad, startMixedLoad } from './mixed-load.ts';

setDefaultTimeout(120_000);

// Each round ends after a number of answers, so that no clock decides when.
const rounds = 5;
const server = await startServer();
afterAll(server.close);
const world = await prepareMixedLoad(server);

test.each(Array.from({ length: rounds }, (_, nth) => nth + 1))(
  'kill -9 under scans, creates, edits and panel writes, round %i: what was answered is there',
  async (round) => {
    const load = startMixedLoad(server, world, round);
    const { created } = world.ledger;
    const isEnough = () =>
      load.answers() > 30 + 29 * round && load.scans() > 10 && created.size >= round;
    await until(isEnough);
    await server.kill();
    await load.ended;
    expect(brokenPromises(server.dataFolder, world.ledger)).toEqual([]);
    await server.start();
    expect(await brokenAnswers(server, world)).toEqual([]);
  },
);

test('and the load was one', () => {
  expect(world.ledger.created.size).toBeGreaterThanOrEqual(rounds);
  expect(world.ledger.scanned.answered).toBeGreaterThan(10 * rounds);
});
