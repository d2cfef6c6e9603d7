import { type Command, Option } from 'commander';
import type { Config } from '../../config.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { bracketed, isSocketPath } from '../../lib/text/addresses.ts';
import { type CommonFlags, configOf, type Outcome, toAction } from '../command.ts';

interface HealthFlags extends CommonFlags {
  readonly live?: true;
  readonly strict?: true;
}

/** Adds `waymark health`, for containers without a shell. */
export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description('ask the running server whether it is healthy: exit code 0, or 1 if not')
    .addOption(new Option('--live', 'only whether it responds at all').conflicts('strict'))
    .option('--strict', 'exit code 1 for warnings too, such as a backup that failed')
    .option('--json', "print the server's answer as JSON")
    .action(toAction(async (flags: HealthFlags) => askForHealth(configOf(flags), flags)));
}

async function askForHealth(config: Config, { live, strict }: HealthFlags): Promise<Outcome> {
  const { origin, name, init } = localServer(config);
  const path = `/healthz${live ? '/live' : ''}`;
  const url = `${name}${path}`;
  try {
    const response = await ask(`${origin}${path}`, init);
    const json: unknown = JSON.parse(response.text);
    const { problems, warnings } = parseHealth(json) ?? { problems: [], warnings: [] };
    const failure = !response.ok && (problems.join('\n') || `${url}: ${response.status}`);
    if (strict && !failure && warnings.length > 0)
      return { text: 'warnings', json, failure: warnings.join('\n') };
    return { text: response.ok ? 'ok' : 'not healthy', json, warnings, failure };
  } catch (error) {
    const problem = `The server doesn't respond at ${url}: ${errnoMessage(error)}`;
    return {
      text: 'not healthy',
      json: { status: 'unreachable', problems: [problem], warnings: [] },
      failure: problem,
    };
  }
}

// Much longer than a server takes on a busy machine.
const timeoutMs = 5000;

/**
 * Sends a request to a server, and reads the answer.
 *
 * @throws DOMException TimeoutError
 */
export async function ask(url: string, init: BunFetchRequestInit = {}) {
  return withDeadline(timeoutMs, async (signal) => {
    const response = await fetch(url, { ...init, signal });
    const { ok, status, headers } = response;
    return { ok, status, headers, text: await response.text() };
  });
}

/** How this machine reaches the server. */
export interface LocalServer {
  readonly origin: string;
  /** For people. */
  readonly name: string;
  /** For `ask`. */
  readonly init: BunFetchRequestInit;
}

/** Returns how this machine reaches the server: at its port, or its Unix socket. */
export function localServer({ host, port }: Pick<Config, 'host' | 'port'>): LocalServer {
  if (isSocketPath(host)) return { origin: 'http://localhost', name: host, init: { unix: host } };
  const every: Readonly<Record<string, string>> = {
    '*': '127.0.0.1',
    '0.0.0.0': '127.0.0.1',
    '::': '[::1]',
  };
  const origin = `http://${every[host] ?? bracketed(host)}:${port}`;
  return { origin, name: origin, init: {} };
}

/** What the health check of a server reports. */
interface HealthReport {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns what the body of a health check reports, or null for one that Waymark does not send. */
export function parseHealth(body: unknown): HealthReport | null {
  if (typeof body !== 'object' || body === null) return null;
  // The cast is safe: only Waymark sends both lists, and they are texts.
  const { problems, warnings } = body as Partial<HealthReport>;
  return Array.isArray(problems) && Array.isArray(warnings) ? { problems, warnings } : null;
}
