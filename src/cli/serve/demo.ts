import { networkInterfaces, tmpdir } from 'node:os';
import type { Command } from 'commander';
import qrcode from 'qrcode-generator';
import { appWithin } from '../../compose/app/app-within.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { type Config, readConfig } from '../../config.ts';
import { generateKey } from '../../core/accounts/api-key.ts';
import { hashPassword } from '../../core/accounts/password/password.ts';
import type { QrRecord } from '../../http/api/schemas.ts';
import { createTemporaryFolder } from '../../lib/files/temporary.ts';
import { createStderrLog } from '../../lib/logger.ts';
import { composeServer } from '../../redirect/compose.ts';
import { listen } from '../../redirect/listening/listen.ts';
import { waitForSignal } from '../../redirect/server.ts';
import { type CommonFlags, commandOn, numberOption } from '../command.ts';
import { reportError } from '../errors/report.ts';

interface DemoFlags extends CommonFlags {
  readonly once?: true;
  readonly port?: number;
}

const email = 'demo@example.com';
const passwordBytes = 8;
const destination = 'https://example.com/menu';
const pollMs = 500;
const ports = { min: 1, max: 65_535 };

/** Adds `waymark demo`. */
export function addDemoCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program
    .command('demo')
    .description('start a temporary server with an account, a key and a code to scan')
    .option('--json', 'print JSON')
    .addOption(numberOption('--port <port>', 'port to listen on (default: any free one)', ports))
    .option('--once', 'on 127.0.0.1: create a code, scan it once, print the result and exit')
    .action((flags: DemoFlags) =>
      demo(flags, startRenderWorker).catch((error: unknown) => reportError(error)),
    );
}

async function demo(flags: DemoFlags, startRenderWorker: StartRenderWorker): Promise<void> {
  const folder = createTemporaryFolder(tmpdir(), 'waymark-demo-');
  process.once('exit', folder.remove);
  // Closing the terminal ends it too, and removes its data.
  const signal = waitForSignal(['SIGTERM', 'SIGINT', 'SIGHUP']);
  const config = demoConfig(folder.path, flags);
  const { key, password } = await createAccount(config);
  const log = createStderrLog(config);
  const startApp = appWithin(config, { startRenderWorker, log, isAsked: true });
  const server = composeServer(config, { startApp, log });
  const listening = listen(config, log, { ...server, site: await server.ready });
  const callApi = createApiClient(config.publicUrl, key);
  try {
    const qr = await callApi('', {
      method: 'POST',
      body: JSON.stringify({ url: destination }),
    });
    if (flags.once) {
      console.log(await scanOnce(callApi, qr, flags));
      return;
    }
    console.log(
      flags.json
        ? JSON.stringify({ key, email, password, ...qr })
        : introduction(config, key, password, qr),
    );
    await Promise.race([signal, printScans(callApi, qr, flags)]);
  } finally {
    await listening.stop();
  }
}

/** Listens for phones in the local network if there is one, and on this machine otherwise. */
function demoConfig(folder: string, flags: DemoFlags): Config {
  const lan = flags.once ? undefined : lanAddress();
  const port = String(flags.port ?? freePort());
  return readConfig({
    WAYMARK_DATA: folder,
    WAYMARK_BACKUP_DIR: 'off',
    WAYMARK_HOST: lan === undefined ? '127.0.0.1' : '0.0.0.0',
    WAYMARK_PORT: port,
    // The demo itself polls 120 times a minute.
    WAYMARK_RATE_LIMIT: '600',
    WAYMARK_PUBLIC_URL: `http://${lan ?? '127.0.0.1'}:${port}`,
  });
}

function lanAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  probe.stop();
  return probe.port;
}

async function createAccount(config: Config): Promise<{ key: string; password: string }> {
  const storage = await createStorage(config);
  const { accounts, keys, close } = await storage.openForCommand({ create: true });
  const password = realRandomBytes(passwordBytes).toHex();
  const created = await accounts.create({
    email,
    isOperator: true,
    planUntilMs: null,
    passwordHash: await hashPassword(password),
    by: { kind: 'command' },
    atMs: realClock.nowMs(),
  });
  if (created.outcome === 'taken') throw new Error('The new database already has the account.');
  const { key, hash, lastFour } = generateKey(config.keyPrefix, realRandomBytes);
  await keys.replace(commandOn(created.account), hash, lastFour, realClock.nowMs());
  await close();
  return { key, password };
}

type ApiClient = ReturnType<typeof createApiClient>;

/** Creates a function that sends a request to a path below `/api/v1/qrs`. */
function createApiClient(publicUrl: string, key: string) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return async (path: string, init: RequestInit = {}): Promise<QrRecord> => {
    const response = await fetch(`${publicUrl}/api/v1/qrs${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return (await response.json()) as QrRecord; // this process is the server
  };
}

/** Follows the short link as a phone does and returns the text to print. */
async function scanOnce(callApi: ApiClient, qr: QrRecord, flags: DemoFlags): Promise<string> {
  const { status, headers } = await fetch(qr.url, { redirect: 'manual' });
  const record = await callApi(`/${qr.code}`);
  const location = headers.get('location');
  if (status !== 302 || location !== destination || record.scans !== 1)
    throw new Error(`The scan failed: ${status} to ${location}, ${record.scans} counted`);
  return flags.json
    ? JSON.stringify({ ...record, redirected_to: location })
    : `${qr.url} redirected (${status}) to ${location}\nscans: ${record.scans}, last scan: ${record.last_scan}`;
}

function introduction({ publicUrl }: Config, key: string, password: string, qr: QrRecord): string {
  const auth = `-H 'Authorization: Bearer ${key}'`;
  const api = `${publicUrl}/api/v1/qrs`;
  const json = `-H 'Content-Type: application/json'`;
  return `${drawInTerminal(qr.url)}
  ${qr.url}  redirects to  ${qr.destination}
  Scan it with a phone in the same network, or open it in a browser.

  Panel:      ${publicUrl}/account   (sign in as ${email} with ${password})
  Swagger UI: ${publicUrl}/docs   (Authorize with ${key})

  Create    curl ${auth} ${json} -d '{"url":"https://example.com/new"}' ${api}
  List      curl ${auth} '${api}?limit=10'
  Get       curl ${auth} ${api}/${qr.code}
  Redirect  curl ${auth} ${json} -X PATCH -d '{"url":"https://example.com/changed"}' ${api}/${qr.code}
  Stats     curl ${auth} ${api}/${qr.code}/stats
  PNG       curl ${auth} -o qr.png '${api}/${qr.code}.png?size=512'
  SVG       curl ${auth} -o qr.svg ${api}/${qr.code}.svg

  Ctrl-C ends the demo and removes its data. Scans appear here:`;
}

const quietZoneModules = 4;

/** Draws a QR code in half blocks, bright white on black, whatever the colours of the terminal. */
function drawInTerminal(text: string): string {
  const symbol = qrcode(0, 'M');
  symbol.addData(text);
  symbol.make();
  const lines = symbol.createASCII(1, quietZoneModules).split('\n');
  return lines.map((line) => `\x1b[97;40m${line}\x1b[0m`).join('\n');
}

/** Prints each scan as it arrives. Never resolves. */
async function printScans(callApi: ApiClient, qr: QrRecord, { json }: DemoFlags): Promise<never> {
  let seen = 0;
  for (;;) {
    await Bun.sleep(pollMs);
    const { scans, last_scan } = await callApi(`/${qr.code}`);
    for (; seen < scans; seen++)
      console.log(json ? JSON.stringify({ scan: seen + 1 }) : `  scan ${seen + 1}  ${last_scan}`);
  }
}
