import { plainSettings } from './cli/serve/flags.ts';
import { runServer } from './cli/serve/server.ts';

// A compiled program finds its workers only from here: build.ts names the same file as a second
// entry point, and a URL in a nested module would point outside the executable.
const startRenderWorker = () =>
  new Worker(new URL('./render/worker/worker.ts', import.meta.url).href);

// What any command writes is for the user that runs it alone: databases, lists, backups.
process.umask(0o077);

const settings = plainSettings(process.argv.slice(2));
const ended =
  settings === null
    ? import('./cli/program.ts').then(({ createProgram }) =>
        createProgram(startRenderWorker).parseAsync(),
      )
    : runServer(settings, startRenderWorker);

ended.then(
  () => {},
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
