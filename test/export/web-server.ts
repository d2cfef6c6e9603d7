import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A web server from Debian, started on what was exported. */
export interface WebServer {
  readonly name: string;
  /** False where it is not installed and may be missing: CI must have it. */
  readonly present: boolean;
  /** Files to write and the command to run in their folder. */
  setUp(exported: string, folder: string): { files: Record<string, string>; command: string[] };
}

export const nginxServer: WebServer = {
  name: 'nginx',
  present: installed('nginx'),
  setUp: (exported, folder) => ({
    files: {
      // Nothing of a test listens beyond this machine.
      'waymark.conf': exported.replace(/listen (\d+);/g, 'listen 127.0.0.1:$1;'),
      'nginx.conf': `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/waymark.conf;
}`,
    },
    command: ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')],
  }),
};

export const caddyServer: WebServer = {
  name: 'caddy',
  present: installed('caddy'),
  setUp: (exported, folder) => ({
    files: {
      Caddyfile: `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n${exported}`,
    },
    command: ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
  }),
};

function installed(tool: string): boolean {
  return Bun.which(tool) !== null || process.env['CI'] === 'true';
}

/**
 * Serves an export while something runs.
 *
 * @param origin where it listens, as the export itself says
 */
export async function serving<T>(
  server: WebServer,
  exported: string,
  origin: string,
  act: () => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `waymark-${server.name}-`));
  const { files, command } = server.setUp(exported, folder);
  for (const [name, content] of Object.entries(files)) await Bun.write(join(folder, name), content);
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = new Response(child.stderr).text();
  try {
    await answering(origin, child, said);
    return await act();
  } finally {
    child.kill('SIGKILL');
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

async function answering(origin: string, child: Bun.Subprocess, said: Promise<string>) {
  const deadlineMs = performance.now() + 10_000;
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode} at the start:\n${await said}`);
    try {
      await fetch(origin, { keepalive: false, redirect: 'manual' });
      return;
    } catch {
      // There is no other sign than an answer.
      await Bun.sleep(5);
    }
  }
  throw new Error('It did not answer within 10 s.');
}
