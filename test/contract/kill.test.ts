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

      await load.answered(300 * round);
      await server.kill();
      acknowledged += await load.ended;
      await Promise.all([edits, creates]);
      await server.start();

      const after = await api.read(qr.code);
      expect(after.scans).toBeGreaterThanOrEqual(acknowledged);
      // At most what was on its way when the server died is counted without an answer.
      expect(after.scans).toBeLessThanOrEqual(acknowledged + clients * round);
      expect([edited, editing]).toContain(after.destination);
      for (const [code, destination] of created)
        expect((await api.read(code)).destination).toBe(destination);
    },
    20_000,
  );

  test('and the load was one: redirects, creates and edits in every round', () => {
    expect(acknowledged).toBeGreaterThanOrEqual((300 * rounds * (rounds + 1)) / 2);
    expect(created.size).toBeGreaterThan(rounds);
    expect(edited).toStartWith('https://example.org/');
  });
});

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
