/**
 * Kills a process and removes a folder should this process end without doing so itself: `bun test`
 * runs neither `afterAll` nor `exit` handlers for a file that fails while it loads.
 *
 * A shell waits for the end of a pipe that only this process holds open.
 *
 * @returns calls the watch off
 */
export function guardAgainstOrphan(child: Bun.Subprocess, folder: string): () => void {
  const script = 'cat > /dev/null; kill -9 "$1"; rm -rf "$2"';
  const watch = Bun.spawn(['sh', '-c', script, 'sh', String(child.pid), folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  return () => watch.kill('SIGKILL');
}
