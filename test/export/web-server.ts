import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../support/installed.ts';
import { until } from '../support/until.ts';

/** A web server that runs an exported configuration. */
export interface WebServer {
  readonly name: string;
  /** Whether to run its tests: it is installed, or this is CI, which must have it. */
  readonly present: boolean;
  /** Returns the files to write and the command to run in their folder. */
  setUp(exported: string, folder: string): { files: Record<string, string>; command: string[] };
}

export const nginxServer: WebServer = {
  name: 'nginx',
  present: isInstalled('nginx'),
  setUp: (exported, folder) => ({
    files: {
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
  present: isInstalled('caddy'),
  setUp: (exported, folder) => ({
    files: {
      Caddyfile: `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n${exported}`,
    },
    command: ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
  }),
};

/**
 * Runs a web server with an export during an action.
 *
 * @param origin where it listens, as in the export
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
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = new Response(child.stderr).text();
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error(`${server.name} ended: ${await log}`);
    const request = fetch(origin, { keepalive: false, redirect: 'manual' });
    return request.then(
      () => true,
      () => false,
    );
  };
  try {
    await until(isListening);
    return await act();
  } finally {
    child.kill('SIGKILL');
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  }
}
