import { runServer } from './cli/serve/server.ts';
import { parseServeArguments } from './cli/serve/settings.ts';
import { convertLogoCommand, runLogoProcess } from './render/logo/process.ts';

// A compiled program finds its workers only from here: build.ts names the same file as a second
// entry point, and a URL in a nested module would point outside the executable.
const startRenderWorker = () =>
  new Worker(new URL('./render/worker/worker.ts', import.meta.url).href);

// What any command writes is for the user that runs it alone: databases, lists, backups.
process.umask(0o077);

const [command] = process.argv.slice(2);
const ended = command === convertLogoCommand ? runLogoProcess(startRenderWorker) : run();

function run(): Promise<unknown> {
  const settings = parseServeArguments(process.argv.slice(2));
  if (settings !== null) return runServer(settings, startRenderWorker);
  return import('./cli/program.ts').then(({ createProgram }) =>
    createProgram(startRenderWorker).parseAsync(),
  );
}

ended.then(
  () => {},
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
