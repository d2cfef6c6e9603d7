import { afterAll, describe, expect, test } from 'bun:test';
import { startLoad } from '../support/load.ts';
import { startServer } from '../support/server.ts';

const rounds = 20;
const clients = 8;
const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create();

// An answered create, edit or redirect is on disk (DESIGN, "Promise"). Each round kills the server
// in the middle of all three, after a number of redirects that differs from round to round, so that
// no clock decides when.
describe(`${rounds} × kill -9 under redirect load`, () => {
  let acknowledged = 0;
  let edited = 'https://example.org/';
  const created = new Map<string, string>();

  test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
    'round %i: nothing acknowledged is lost',
    async (round) => {
      const load = startLoad(`${server.origin}/${qr.code}`, clients);
      const fresh = new Map<string, string>();
      let editing = edited;
      const edits = untilKilled(async (turn) => {
        editing = `https://example.org/${round}/${turn}`;
        const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: editing });
        if (answer.status === 200) edited = editing;
      });
      const creates = untilKilled(async (turn) => {
        const destination = `https://example.org/new/${round}/${turn}`;
        fresh.set((await api.create(destination)).code, destination);
      });

      await load.answered(100 * round);
      await server.kill();
      acknowledged += await load.ended;
      await Promise.all([edits, creates]);
      await server.start();

      const after = await api.read(qr.code);
      expect(after.scans).toBeGreaterThanOrEqual(acknowledged);
      // At most what was on its way when the server died is counted without an answer.
      expect(after.scans).toBeLessThanOrEqual(acknowledged + clients * round);
      expect([edited, editing]).toContain(after.destination);
      await expectAll(fresh);
      for (const [code, destination] of fresh) created.set(code, destination);
    },
    20_000,
  );

  test('and after all rounds everything is there, and the load was one', async () => {
    await expectAll(created);
    expect((await api.list('?limit=1')).total).toBeGreaterThan(created.size);
    expect(acknowledged).toBeGreaterThanOrEqual((100 * rounds * (rounds + 1)) / 2);
    expect(created.size).toBeGreaterThan(rounds);
    expect(edited).toMatch(/example\.org\/\d+\/\d+$/);
  });
});

async function expectAll(destinations: ReadonlyMap<string, string>): Promise<void> {
  for (const [code, destination] of destinations)
    expect(await api.read(code)).toMatchObject({ code, destination });
}

/** Repeats a request until the server is gone, at most a thousand times. */
async function untilKilled(request: (turn: number) => Promise<void>): Promise<void> {
  try {
    for (let turn = 0; turn < 1000; turn++) await request(turn);
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
  }
}

function isConnectionLoss(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ECONNRESET|ECONNREFUSED|ConnectionRefused|ConnectionClosed|EPIPE)$/.test(code);
}
