import { runServer } from './cli/serve/server.ts';
import { readFileCommand, runFileProcess } from './render/worker/file-process.ts';

// The executable finds its workers only from here: build.ts has the same file as a second entry point, and a URL in a
// nested module would point outside the executable.
const startRenderWorker = () =>
  new Worker(new URL('./render/worker/worker.ts', import.meta.url).href);

// Makes all files readable by their owner only (0600): databases, lists, backups.
process.umask(0o077);

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function run(args: string[]): Promise<unknown> {
  if (args[0] === readFileCommand) return runFileProcess(args.slice(1), startRenderWorker);
  // How services and containers start it: without the packages of the command line.
  if (args.join(' ') === 'serve') return runServer({}, startRenderWorker);
  const { runCommand } = await import('./cli/program.ts');
  return runCommand(startRenderWorker, args);
}
