import { expect, test } from 'bun:test';
import { join } from 'node:path';

const watcher = join(import.meta.dir, '../../src/redirect/listening/descriptors.ts');

/** Uses all descriptors up once, and prints what the watcher sees. */
const program = `
  import { closeSync, openSync } from 'node:fs';
  import { watchDescriptors } from ${JSON.stringify(watcher)};
  const opened = [];
  const take = (most) => {
    try {
      while (opened.length < most) opened.push(openSync('/', 'r'));
    } catch {}
  };
  void process.stdout;
  // As the databases and sockets of a server.
  take(Infinity);
  for (const one of opened.splice(0, Number(process.argv[1]))) closeSync(one);
  const stop = watchDescriptors((areFree) => {
    console.log(areFree);
    if (areFree) {
      stop();
      process.exit();
    }
    for (const one of clients) closeSync(one);
  });
  const clients = [];
  try {
    for (;;) clients.push(openSync('/', 'r'));
  } catch {}
`;

test.skipIf(process.platform === 'win32').each([1, 6, 13, 40])(
  'listening goes on after %i free descriptors were used up, however few they are',
  async (free) => {
    const limited = ['bash', '-c', 'ulimit -n 128; exec "$@"', 'bash'];
    const { stdout } = Bun.spawn([...limited, process.execPath, '-e', program, String(free)], {
      timeout: 20_000,
    });
    expect(await new Response(stdout).text()).toBe('false\ntrue\n');
  },
);
