import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { withDeadline } from '../../src/lib/deadline.ts';
import { until } from '../support/until.ts';

test('rejects and aborts when the deadline has passed', async () => {
  let signal: AbortSignal | null = null;
  const outcome = withDeadline(20, (given) => {
    signal = given;
    return new Promise(() => {});
  });
  expect(await outcome.catch((error: DOMException) => error.name)).toBe('TimeoutError');
  expect(signal).toMatchObject({ aborted: true });
});

test('returns what the action returns, or rejects with its error', async () => {
  expect(await withDeadline(1000, async () => 'done')).toBe('done');
  const failed = withDeadline(1000, async () => Promise.reject(new Error('failed')));
  expect(await failed.catch(String)).toBe('Error: failed');
});

/** Returns whether SIGSTOP has stopped a process. */
function isStopped(pid: number): boolean {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'state=', '-p', String(pid)]);
  return stdout.toString().startsWith('T');
}

test('a response that arrives while the process stands still is in time', async () => {
  const deadline = join(import.meta.dir, '../../src/lib/deadline.ts');
  // Answers take two steps, so that a deadline that ends with the pause cuts the second one off.
  const script = `
    import { withDeadline } from ${JSON.stringify(deadline)};
    const lines = console[Symbol.asyncIterator]();
    console.log(await withDeadline(1000, async () => {
      process.kill(process.pid, 'SIGSTOP');
      const { value } = await lines.next();
      await Bun.sleep(100);
      return value;
    }).catch(({ name }) => name));
    process.exit();`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe' });
  await until(() => isStopped(child.pid));
  // Longer than the deadline.
  await Bun.sleep(1500);
  child.stdin.write('answered\n');
  await child.stdin.flush();
  child.kill('SIGCONT');
  expect(await new Response(child.stdout).text()).toBe('answered\n');
});
