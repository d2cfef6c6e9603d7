import { makeProgram } from './cli/program.ts';

// A compiled program finds its workers only from here: build.ts names the same file as a second
// entry point, and a URL in a nested module would point outside the executable.
const spawn = () => new Worker(new URL('./render/worker.ts', import.meta.url).href);

// What any command writes is for the user that runs it alone: databases, lists, backups.
process.umask(0o077);

makeProgram(spawn)
  .parseAsync()
  .then(
    () => {},
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
