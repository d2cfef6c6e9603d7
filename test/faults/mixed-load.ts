import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { integrityErrors } from '../../src/sqlite/maintenance/integrity.ts';
import { type PanelClient, signedIn } from '../panel/client.ts';
import { createApi } from '../support/api.ts';
import type { Server } from '../support/server.ts';
import { startClients } from './clients.ts';

/** What the server has answered for, and what was on its way when it died. */
export interface Ledger {
  /** Destination by code, of every answered create. */
  readonly created: Map<string, string>;
  /** Digest of the SVG by code. */
  readonly images: Map<string, bigint>;
  edited: { code: string; answered: string; underWay: string };
  paused: { code: string; answered: boolean; underWay: boolean };
  scanned: { code: string; answered: number; mostUnderWay: number };
}

const scanners = 8;
const creators = 2;

/** An account that uses everything at once: scans, creates, edits, pauses in the panel, images. */
export async function prepareMixedLoad(server: Server) {
  const panel = await signedIn(server, 'alice@example.org', ['--plan-until', '2099-12-31']);
  const key = await server.generateKey('alice@example.org');
  const api = createApi(server.origin, key);
  const [edited, paused, scanned] = [
    await api.create('https://example.org/edited'),
    await api.create('https://example.org/paused'),
    await api.create('https://example.org/scanned'),
  ];
  const csrf = await panel.csrf();
  const ledger: Ledger = {
    created: new Map(),
    images: new Map(),
    edited: {
      code: edited.code,
      answered: edited.destination,
      underWay: edited.destination,
    },
    paused: { code: paused.code, answered: false, underWay: false },
    scanned: { code: scanned.code, answered: 0, mostUnderWay: 0 },
  };
  return { ledger, key, panel, csrf };
}

type World = Awaited<ReturnType<typeof prepareMixedLoad>>;

/**
 * Puts everything on the server at once until it goes away.
 *
 * @returns how many requests were answered, how many of them were scans, and when all clients have noticed the end
 */
export function startMixedLoad(server: Server, world: World, round: number) {
  const { ledger, key } = world;
  const link = `${server.origin}/${ledger.scanned.code}`;
  const scans = startClients(link, scanners, true);
  let writes = 0;
  const repeat = async (act: (turn: number) => Promise<void>) => {
    try {
      for (let turn = 0; turn < 100_000; turn++) {
        await act(turn);
        writes++;
      }
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
    }
  };
  const call = (method: string, path: string, url?: string) =>
    fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      keepalive: false,
      ...(url !== undefined && { body: JSON.stringify({ url }) }),
    });

  const creates = Array.from({ length: creators }, (_, hand) =>
    repeat(async (turn) => {
      const destination = `https://example.org/${round}/${hand}/${turn}`;
      const made = await expecting(201, await call('POST', '/qrs', destination));
      const { code } = JSON.parse(made) as { code: string }; // The contract's own record.
      ledger.created.set(code, destination);
      if (turn > 0) return;
      ledger.images.set(
        code,
        Bun.hash(await expecting(200, await call('GET', `/qrs/${code}.svg`))) as bigint,
      );
    }),
  );
  const edits = repeat(async (turn) => {
    const { edited } = ledger;
    edited.underWay = `https://example.org/edited/${round}/${turn}`;
    await expecting(200, await call('PATCH', `/qrs/${edited.code}`, edited.underWay));
    edited.answered = edited.underWay;
  });
  const pauses = repeat(() => turnPause(world.panel, world));

  return {
    answers: () => scans.answers() + writes,
    scans: scans.answers,
    ended: Promise.all([scans.ended, ...creates, edits, pauses]).then(() => {
      ledger.scanned.answered += scans.answers();
      ledger.scanned.mostUnderWay += scanners;
    }),
  };
}

async function turnPause(panel: PanelClient, { ledger: { paused }, csrf }: World): Promise<void> {
  paused.underWay = !paused.answered;
  const verb = paused.underWay ? 'pause' : 'resume';
  const answer = await panel.post(`/account/codes/${paused.code}/${verb}`, { csrf });
  if (answer.status !== 303) throw new Error(`${verb}: ${answer.status} ${answer.text}`);
  paused.answered = paused.underWay;
}

async function expecting(status: number, response: Response): Promise<string> {
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${text}`);
  return text;
}

function isConnectionLoss(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ECONNRESET|ECONNREFUSED|ConnectionRefused|ConnectionClosed|EPIPE)$/.test(code);
}

/**
 * Holds the database of a server that is not running against what it has answered for.
 *
 * @returns what is wrong; empty when every promise was kept
 */
export function brokenPromises(dataFolder: string, ledger: Ledger): string[] {
  const database = new Database(join(dataFolder, 'waymark.db'));
  try {
    const found = new Map(
      database
        .query<{ code: string; destination: string; status: string }, []>(
          'SELECT code, destination, status FROM qrs',
        )
        .all()
        .map((row) => [row.code, row]),
    );
    const problems = integrityErrors(database);
    for (const [code, destination] of ledger.created)
      if (found.get(code)?.destination !== destination)
        problems.push(`create ${code}: ${destination}, found ${found.get(code)?.destination}`);
    const { edited, paused } = ledger;
    const destination = found.get(edited.code)?.destination ?? '';
    if (![edited.answered, edited.underWay].includes(destination))
      problems.push(`edit: ${edited.answered}, found ${destination}`);
    const isPaused = found.get(paused.code)?.status === 'paused';
    if (![paused.answered, paused.underWay].includes(isPaused))
      problems.push(`pause: ${paused.answered}, found ${isPaused}`);
    const [counted] = database
      .query<{ qr_count: number }, []>('SELECT qr_count FROM accounts')
      .all();
    if (counted?.qr_count !== found.size)
      problems.push(`the account counts ${counted?.qr_count} codes of ${found.size}`);
    // What was on its way is what is stored; the next round goes on from there.
    edited.answered = edited.underWay = destination;
    paused.answered = paused.underWay = isPaused;
    return problems;
  } finally {
    database.close();
  }
}

/** The same of what a running server says: scans, folded or not, and images. */
export async function brokenAnswers(server: Server, { ledger, key }: World): Promise<string[]> {
  const api = createApi(server.origin, key);
  const problems: string[] = [];
  const { code, answered, mostUnderWay } = ledger.scanned;
  const { scans } = await api.read(code);
  if (scans < answered || scans > answered + mostUnderWay)
    problems.push(`scans: ${answered} to ${answered + mostUnderWay}, found ${scans}`);
  for (const [drawn, digest] of ledger.images) {
    const { text } = await api.call(`GET /qrs/${drawn}.svg`);
    if (Bun.hash(text) !== digest) problems.push(`the image of ${drawn} has changed`);
  }
  return problems;
}
