import { FileError } from '../lib/errors.ts';

/**
 * Writes a line for whoever reads standard output, and waits until it is there: `console.log` keeps a
 * full disk to itself, and a key is shown once.
 *
 * @throws FileError when it cannot be written
 */
export async function print(line: string): Promise<void> {
  await toReader(async () => {
    await Bun.write(Bun.stdout, `${line}\n`);
  });
}

/**
 * Runs what writes to standard output. That whoever reads has seen enough, as `head` has, ends it and is
 * no failure.
 *
 * @throws FileError when standard output cannot be written
 */
export async function toReader(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'write')) throw error;
    if ('code' in error && error.code === 'EPIPE') return;
    throw new FileError(`standard output cannot be written: ${error.message}`);
  }
}
