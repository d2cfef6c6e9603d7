import { expect, test } from 'bun:test';
import { runCommand } from '../support/program.ts';

/** Runs a script in a process of its own, which has no shared clock yet, and returns what it prints as JSON. */
async function run(script: string): Promise<unknown> {
  const module = Bun.resolveSync('../../src/lib/shared-clock.ts', import.meta.dir);
  const text = `import { clockDifferenceMs, readSharedClock, sharedNowMs } from ${JSON.stringify(module)}; ${script}`;
  const { stdout, stderr } = await runCommand([process.execPath, '-e', text], {
    cwd: import.meta.dir,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('without a shared clock, and beside one that agrees, the time is that of the machine', async () => {
  const script = `
    const own = [];
    const compare = () => own.push(Math.abs(sharedNowMs() - Date.now()) <= 1);
    compare();
    await readSharedClock(async () => Date.now());
    compare();
    console.log(JSON.stringify(own));`;
  expect(await run(script)).toEqual([true, true]);
});

test('another time is followed, also while nothing answers and after the clock of the machine is set', async () => {
  const script = `
    const ahead = 600_000;
    const real = Date.now;
    await readSharedClock(async () => real() - ahead);
    const before = Math.round(clockDifferenceMs() / 1000);
    await readSharedClock(async () => { throw new Error('away'); }).catch(() => {});
    Date.now = () => real() - 2 * ahead;
    const after = [clockDifferenceMs(), sharedNowMs() - (real() - ahead)];
    console.log(JSON.stringify([before, ...after.map((ms) => Math.round(ms / 1000))]));`;
  expect(await run(script)).toEqual([600, -600, 0]);
});

test('a slow answer changes nothing that it does not contradict', async () => {
  const script = `
    const ahead = 600_000;
    await readSharedClock(async () => Date.now() + ahead);
    const slow = async () => {
      const told = Date.now() + ahead;
      for (const endMs = performance.now() + 100; performance.now() < endMs; );
      return told;
    };
    await readSharedClock(slow);
    const kept = Math.abs(sharedNowMs() - Date.now() - ahead) < 40;
    await readSharedClock(async () => Date.now() + 2 * ahead);
    const moved = Math.abs(sharedNowMs() - Date.now() - 2 * ahead) < 100;
    console.log(JSON.stringify([kept, moved]));`;
  expect(await run(script)).toEqual([true, true]);
});
