import { afterAll, describe, expect, test } from 'bun:test';
import { startLoad } from '../support/load.ts';
import { startServer } from '../support/server.ts';

const clients = 8;
const email = 'alice@example.org';

// An answered create, edit or redirect is on disk. Each round kills the server during all three, after
// a number of redirects.
describe.each([
  { durability: 'power', rounds: 2, ...(await serverWith('power')) },
  { durability: 'process', rounds: 1, ...(await serverWith('process')) },
])(
  'durability $durability: $rounds × kill -9 under redirect load',
  ({ rounds, server, api, qr }) => {
    let acknowledged = 0;
    let edited = 'https://example.org/';
    const created = new Map<string, string>();

    test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
      'round %i: nothing answered is lost',
      async (round) => {
        const load = startLoad(`${server.origin}/${qr.code}`, clients);
        let editing = edited;
        const edits = untilKilled(async (turn) => {
          editing = `https://example.org/${round}/${turn}`;
          const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: editing });
          if (answer.status === 200) edited = editing;
        });
        const creates = untilKilled(async (turn) => {
          const destination = `https://example.org/new/${round}/${turn}`;
          created.set((await api.create(destination)).code, destination);
        });

        await Promise.all([load.answered(60 * round), edits.first, creates.first]);
        await server.kill();
        acknowledged += await load.ended;
        await Promise.all([edits.ended, creates.ended]);
        await server.start();

        const after = await api.read(qr.code);
        expect(after.scans).toBeGreaterThanOrEqual(acknowledged);
        // At most what was on its way when the server died is counted without an answer.
        expect(after.scans).toBeLessThanOrEqual(acknowledged + clients * round);
        expect([edited, editing]).toContain(after.destination);
        for (const [code, destination] of created)
          expect(await api.read(code)).toMatchObject({ code, destination });
        // What was on its way is made and in the activity, or neither.
        const { stdout } = await server.cli(['activity', email, '--json']);
        const entries: { kind: string; after: string }[] = JSON.parse(stdout);
        const afterOf = (kind: string) =>
          entries.filter((entry) => entry.kind === kind).map((entry) => entry.after);
        const { total } = await api.list('?limit=1');
        expect(afterOf('code-created')).toHaveLength(total);
        expect(afterOf('destination-changed')[0]).toBe(after.destination);
      },
    );
  },
);

async function serverWith(durability: string) {
  const server = await startServer({ WAYMARK_DURABILITY: durability });
  afterAll(server.close);
  const { api } = await server.account(email);
  return { server, api, qr: await api.create() };
}

/** Repeats a request until the server is gone, at most a thousand times. */
function untilKilled(request: (turn: number) => Promise<void>) {
  const first = request(0);
  const rest = async () => {
    await first;
    for (let turn = 1; turn < 1000; turn++) await request(turn);
  };
  const ended = rest().catch((error: unknown) => {
    if (!isConnectionLoss(error)) throw error;
  });
  return { first, ended };
}

function isConnectionLoss(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ECONNRESET|ECONNREFUSED|ConnectionRefused|ConnectionClosed|EPIPE)$/.test(code);
}
