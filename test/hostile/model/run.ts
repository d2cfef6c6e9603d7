/**
 * B5 in full: so many sequences of fifty steps, on one server that keeps everything.
 *
 *   bun test/hostile/model/run.ts [sequences, default 2,000] [seed]
 *
 * Ends with 1 where server and model differ.
 */
import fc from 'fast-check';
import { startServer } from '../../support/server.ts';
import { step } from './step.ts';
import { createModelWorld } from './world.ts';

const numRuns = Number(process.argv[2] ?? 2_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const server = await startServer();
const world = await createModelWorld(server);
const done = new Map<string, number>();

console.log(`seed ${seed}`);
const result = await fc.check(
  fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 50 }), async (steps) => {
    for (const one of steps) {
      await world.take(one);
      done.set(one.do, (done.get(one.do) ?? 0) + 1);
    }
  }),
  { numRuns, seed, endOnFailure: true },
);
if (result.failed)
  console.error(String(result.errorInstance), JSON.stringify(result.counterexample));
else await world.compareAll();
console.log(`${result.numRuns} sequences: ${[...done].map((entry) => entry.join(' ')).join(', ')}`);
await server.close();
process.exit(result.failed ? 1 : 0);
