/**
 * B4 in full: sends so many random inputs of every kind to a server of its own and prints a table.
 *
 *   bun test/hostile/fuzz/run.ts [inputs per kind, default 10,000] [seed]
 *
 * Ends with 1 when an answer was not a documented one; the seed and the smallest such input are told.
 */
import fc from 'fast-check';
import { startServer } from '../../support/server.ts';
import { apiKinds } from './api-kinds.ts';
import type { Target } from './kind.ts';
import { wireKinds } from './wire-kinds.ts';

const numRuns = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const server = await startServer();
const { api, key } = await server.account('alice@example.org');
const target: Target = { origin: server.origin, key, api, qr: await api.create() };
const begun = server.log().length;
let failures = 0;

console.log(`seed ${seed}\n\n| kind | inputs | answers |\n| --- | ---: | --- |`);
for (const kind of [...apiKinds, ...wireKinds]) {
  const answers = new Map<string, number>();
  const note = (answer: string) => void answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const result = await fc.check(kind.property(target, note), { numRuns, seed });
  const told = [...answers].sort(([, a], [, b]) => b - a);
  const shown = told.map(([answer, count]) => `${answer === '' ? 'closed' : answer}: ${count}`);
  console.log(`| ${kind.name} | ${result.numRuns} | ${shown.join(', ')} |`);
  if (!result.failed) continue;
  failures++;
  console.error(`${kind.name}: ${JSON.stringify(result.counterexample)}\n${result.errorInstance}`);
}
const said = server
  .log()
  .slice(begun)
  .split('\n')
  .filter((line) => line !== '').length;
console.log(`\nlines in the log: ${said}`);
await server.close();
process.exit(failures + said === 0 ? 0 : 1);
