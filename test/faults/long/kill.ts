import { startServer } from '../../support/server.ts';
import { brokenAnswers, brokenPromises, prepareMixedLoad, startMixedLoad } from '../mixed-load.ts';

/**
 * Kills the program at random instants under scans, creates, edits and panel writes, and holds what is
 * there against what it has answered for. Ends with 1 at the first broken promise.
 *
 *   WAYMARK_BIN=dist/waymark bun test/faults/long/kill.ts [rounds, 500]
 */
const rounds = Number(process.argv[2] ?? 500);
const [earliestMs, latestMs] = [50, 1500];

const server = await startServer();
try {
  const world = await prepareMixedLoad(server);
  const { ledger } = world;
  let answers = 0;
  let slowestStartMs = 0;
  for (let round = 1; round <= rounds; round++) {
    const load = startMixedLoad(server, world, round);
    await Bun.sleep(earliestMs + Math.random() * (latestMs - earliestMs));
    await server.kill();
    await load.ended;
    answers += load.answers();
    // Pictures are compared every fifty rounds, all that were taken so far.
    const problems = brokenPromises(server.dataFolder, ledger);
    const startedMs = performance.now();
    await server.start();
    slowestStartMs = Math.max(slowestStartMs, performance.now() - startedMs);
    const images = new Map(round % 50 === 0 ? ledger.images : []);
    problems.push(...(await brokenAnswers(server, { ...world, ledger: { ...ledger, images } })));
    if (problems.length > 0) throw new Error(`round ${round}: ${problems.join('; ')}`);
    if (round % 50 === 0)
      console.log(
        `${round} rounds, ${answers} answers: ${ledger.scanned.answered} scans, ` +
          `${ledger.created.size} creates, ${ledger.images.size} images; nothing lost`,
      );
  }
  console.log(`slowest start after a kill: ${slowestStartMs.toFixed(0)} ms`);
} finally {
  await server.close();
}
process.exit(0);
