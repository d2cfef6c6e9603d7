import {
  databaseRequired,
  internalCommands,
  nameProcess,
  programCommand,
  redirectServerEnv,
} from './lib/build/program-command.ts';
import { failureLine } from './lib/errors.ts';

// The executable finds its workers only from here: build.ts has the same file as a second entry point, and a URL in a
// nested module would point outside the executable.
const startRenderWorker = () => new Worker(new URL('./workers/worker.ts', import.meta.url).href);

// Makes all files readable by their owner only (0600): databases, lists, backups.
process.umask(0o077);

// What nothing else has caught. A server keeps running, because redirects need nothing that failed.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    console.error(`waymark: unexpected error: ${failureLine(error)}`);
    if (process.argv[2] !== 'serve') process.exit(1);
    process.exitCode = 1;
  });

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`waymark: unexpected error: ${failureLine(error)}`);
  process.exitCode = 1;
});

async function run(args: string[]): Promise<unknown> {
  if (args[0] === internalCommands.readFile) {
    nameProcess('waymark-file');
    const { runFileProcess } = await import('./workers/file-process.ts');
    return runFileProcess(args.slice(1), startRenderWorker);
  }
  // Without the server that starts it, nothing could end it.
  if (args[0] === internalCommands.app && process.send !== undefined) {
    nameProcess('waymark-app');
    const { runAppServer } = await import('./cli/serve/app-process.ts');
    return runAppServer(args[1] ?? '', args[2] === databaseRequired, startRenderWorker);
  }
  if (args[0] === 'serve') {
    restartAsRedirectServer(args);
    nameProcess('waymark');
  }
  // How services and containers start it: without the packages of the command line.
  if (args.join(' ') === 'serve') {
    const { runServer } = await import('./redirect/server.ts');
    const { createOnDemand } = await import('./cli/serve/on-demand.ts');
    return runServer({}, createOnDemand(startRenderWorker));
  }
  const { runCommand } = await import('./cli/program.ts');
  return runCommand(startRenderWorker, args);
}

/**
 * Starts this program again in the same process (execve), with the variables of a redirect server.
 * Bun reads them when a process starts. Returns when they are there, and where a process cannot be replaced.
 */
function restartAsRedirectServer(args: readonly string[]): void {
  const env = redirectServerEnv(process.env);
  if (env === null || process.platform === 'win32') return;
  const [file = '', ...program] = programCommand();
  process.execve?.(file, [process.argv0, ...program, ...args], { ...env });
}
