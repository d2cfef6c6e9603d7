import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { startServer } from '../support/server.ts';
import { step } from './model/step.ts';
import { createModelWorld } from './model/world.ts';

// B5, the short form: two accounts do whatever comes to mind, and a model of a few lines says what
// each answer must be. model/run.ts goes on for longer.
const server = await startServer();
afterAll(server.close);

test('whatever two accounts do, the server is where the model is', async () => {
  const world = await createModelWorld(server);
  const begun = server.log().length;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      for (const one of steps) await world.take(one);
    }),
    // Later sequences go on from where earlier ones ended, so there is nothing to make smaller.
    { numRuns: 12, endOnFailure: true },
  );
  await world.compareAll();
  expect(server.log().slice(begun)).toBe('');
}, 120_000);
