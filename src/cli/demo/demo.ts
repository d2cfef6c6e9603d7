import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { composeCommand } from '../../compose/command.ts';
import { realRandomBytes, type StartRenderWorker } from '../../compose/runtime.ts';
import { composeServer } from '../../compose/server.ts';
import { type Config, readConfig } from '../../config.ts';
import { generateKey } from '../../core/accounts/api-key.ts';
import { hashPassword } from '../../core/accounts/password.ts';
import type { QrRecord } from '../../http/api/schemas.ts';
import { within } from '../bounded-number.ts';
import type { CommonFlags, Outcome } from '../command.ts';
import { refuse } from '../exit-codes.ts';
import { listen } from '../serve/listen.ts';
import { serverLog } from '../serve/server.ts';
import { signalled } from '../serve/signals.ts';
import { drawInTerminal } from './terminal-qr.ts';

interface DemoFlags extends CommonFlags {
  readonly once?: true;
  readonly port?: number;
}

const email = 'demo@example.com';
const passwordBytes = 8;
const destination = 'https://example.com/menu';
const watchEveryMs = 500;

/** `waymark demo` */
export function addDemoCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program.addCommand(
    new Command('demo')
      .description('a throw-away server with an account, a key and a QR to scan')
      .option('--json', 'answer in JSON, for machines')
      .option('--once', 'on 127.0.0.1 alone: create, scan once, print the result and end')
      .option(
        '--port <port>',
        'port to listen on (default: a free one)',
        within({ min: 1, max: 65_535 }),
      )
      .action(async (flags: DemoFlags) => {
        try {
          await inThrowAwayFolder((folder) => demo(folder, flags, startRenderWorker));
        } catch (error) {
          refuse(error);
        }
      }),
  );
}

/** Runs something in a folder of its own, which is gone when the process ends, however it does. */
async function inThrowAwayFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
  // Also when somebody has no patience with an orderly end.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await act(folder);
}

async function demo(
  folder: string,
  flags: DemoFlags,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  // From here on, so that a signal during the start leaves nothing behind either.
  const signal = signalled();
  const config = demoConfig(folder, flags);
  const { key, password } = await createAccount(config, startRenderWorker);
  const server = await composeServer(config, { startRenderWorker, log: serverLog(config) });
  const listening = await listen(config, server, { host: 'the network', port: '--port' });
  try {
    const qr = await createQr(config.publicUrl, key);
    if (flags.once) {
      const { text, json } = await scanOnce(config.publicUrl, key, qr);
      console.log(flags.json ? JSON.stringify(json) : text);
      return;
    }
    console.log(
      flags.json
        ? JSON.stringify({ key, email, password, ...qr })
        : introduction(config, key, password, qr),
    );
    await Promise.race([signal, showScans(config.publicUrl, key, qr, flags.json === true)]);
  } finally {
    await listening.stop();
  }
}

/** Phones in the same network reach the LAN address; without one, or with --once, only this machine. */
function demoConfig(folder: string, flags: DemoFlags): Config {
  const lan = flags.once ? undefined : lanAddress();
  const port = String(flags.port ?? freePort());
  return readConfig({
    WAYMARK_DATA: folder,
    WAYMARK_HOST: lan === undefined ? '127.0.0.1' : '0.0.0.0',
    WAYMARK_PORT: port,
    // Watching for scans asks twice a second with the same key.
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

/** Makes the account, with a password that exists in this demo alone. */
async function createAccount(config: Config, startRenderWorker: StartRenderWorker) {
  const { accounts, keys, close } = composeCommand(config, startRenderWorker, true);
  const password = realRandomBytes(passwordBytes).toHex();
  const account = await accounts.create({
    email,
    isOperator: true,
    planUntilMs: null,
    passwordHash: await hashPassword(password),
    atMs: Date.now(),
  });
  if (account === 'taken') throw new Error('a new folder held an account');
  const { key, hash, lastFour } = generateKey(config.keyPrefix, realRandomBytes);
  await keys.replace(account.id, hash, lastFour, Date.now());
  await close();
  return { key, password };
}

async function createQr(publicUrl: string, key: string): Promise<QrRecord> {
  return ask(`${publicUrl}/api/v1/qrs`, key, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: destination }),
  });
}

async function readQr(publicUrl: string, key: string, { code }: QrRecord): Promise<QrRecord> {
  return ask(`${publicUrl}/api/v1/qrs/${code}`, key);
}

async function ask(url: string, key: string, init: RequestInit = {}): Promise<QrRecord> {
  const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as QrRecord; // the server is this very program
}

/** Follows the short link as a phone would and reads the count. */
async function scanOnce(publicUrl: string, key: string, qr: QrRecord): Promise<Outcome> {
  const scan = await fetch(qr.url, { redirect: 'manual' });
  const counted = await readQr(publicUrl, key, qr);
  const location = scan.headers.get('location');
  if (scan.status !== 302 || location !== destination || counted.scans !== 1)
    throw new Error(`the scan went wrong: ${scan.status} to ${location}, ${counted.scans} counted`);
  return {
    text: `${qr.url} redirected (${scan.status}) to ${location}\nscans: ${counted.scans}, last scan: ${counted.last_scan}`,
    json: { ...counted, redirected_to: location },
  };
}

function introduction({ publicUrl }: Config, key: string, password: string, qr: QrRecord): string {
  const auth = `-H 'Authorization: Bearer ${key}'`;
  const api = `${publicUrl}/api/v1/qrs`;
  const json = `-H 'Content-Type: application/json'`;
  return `${drawInTerminal(qr.url)}
  ${qr.url}  leads to  ${qr.destination}
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

  Ctrl-C ends the demo and leaves nothing behind. Scans appear here:`;
}

/** Prints each scan as it arrives. Never resolves. */
async function showScans(
  publicUrl: string,
  key: string,
  qr: QrRecord,
  json: boolean,
): Promise<never> {
  let seen = 0;
  for (;;) {
    await Bun.sleep(watchEveryMs);
    const { scans, last_scan } = await readQr(publicUrl, key, qr);
    for (; seen < scans; seen++)
      console.log(json ? JSON.stringify({ scan: seen + 1 }) : `  scan ${seen + 1}  ${last_scan}`);
  }
}
