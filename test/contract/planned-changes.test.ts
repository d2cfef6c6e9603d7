import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setTimes } from '../support/planned.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('planner@example.org');

const [lunch, dinner] = ['https://lunch.example/menu', 'https://dinner.example/menu'];
const zone = 'Europe/Zurich';

const run = (code: string, ...flags: string[]) => server.cli(['code', 'plan', code, ...flags]);

/** Runs a command that has to succeed, and reads what it prints for machines. */
async function json<T>(code: string, ...flags: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await run(code, ...flags, '--json');
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

interface Planned {
  readonly id: number;
  readonly at: string;
  readonly next: string | null;
  readonly problem: string | null;
}

const list = (code: string) => json<Planned[]>(code, '--list');
const newCode = async () => (await api.create('https://now.example/')).code;

/** Lets planned changes be due: those of the code, in the order of their numbers. */
const makeDue = (planned: readonly Planned[], atMs = Date.now() - planned.length) =>
  server.onStores((stores) =>
    setTimes(stores, Object.fromEntries(planned.map(({ id }, at) => [id, atMs + at]))),
  );

const leadsTo = async (code: string, destination: string) =>
  until(async () => (await api.read(code)).destination === destination);

beforeAll(async () => {
  await server.cli(['account', 'set', email, '--time-zone', zone]);
});

describe('waymark code plan', () => {
  test('plans changes in the zone of the account, and lists the next one first', async () => {
    const code = await newCode();
    expect(await list(code)).toEqual([]);
    const common = { zone, by: null, problem: null };
    const winter = await json(code, '--at', '2030-12-24T18:00', '--url', dinner);
    expect(winter).toEqual({
      ...common,
      ...{ id: expect.any(Number), at: '2030-12-24T18:00', next: '2030-12-24T17:00:00.000Z' },
      ...{ every: null, url: dinner, status: null },
    });
    const daily = await json(code, '--at', '2030-07-01T11:30', '--every', 'day', '--url', lunch);
    expect(daily).toMatchObject({ next: '2030-07-01T09:30:00.000Z', every: 'day', url: lunch });
    const pause = await json(code, '--at', '2030-12-24T20:00', '--every', 'week', '--pause');
    expect(pause).toMatchObject({ every: 'week', url: null, status: 'paused' });
    const resume = await json(code, '--at', '2031-01-02T08:00', '--resume');
    expect(resume).toMatchObject({ status: 'active' });
    expect(await list(code)).toEqual([daily, winter, pause, resume] as Planned[]);
    const { stdout } = await run(code, '--list');
    expect(stdout).toContain('2030-12-24 18:00');
    expect(stdout).toContain(`→ ${dinner}`);
    // Nothing has changed yet.
    expect(await api.read(code)).toMatchObject({
      ...{ destination: 'https://now.example/', status: 'active' },
    });
  });

  test('plans an end, which leads back, and refuses one that is no end', async () => {
    const code = await newCode();
    const at = ['--at', '2030-07-01T11:30', '--every', 'day', '--url', lunch];
    const planned = await json<Planned & { until: Planned }>(code, ...at, '--until', '14:00');
    expect(planned).toMatchObject({
      ...{ at: '2030-07-01T11:30', url: lunch },
      until: { at: '2030-07-01T14:00', every: 'day', url: 'https://now.example/' },
    });
    expect((await list(code)).map(({ id }) => id)).toEqual([planned.id, planned.until.id]);
    const [there, back] = await list(code);
    if (there === undefined || back === undefined) throw new Error('nothing is planned');
    await makeDue([there]);
    await leadsTo(code, lunch);
    await makeDue([back]);
    await leadsTo(code, 'https://now.example/');
    const closed = ['--at', '2030-12-24T18:00', '--pause', '--until', '2031-01-07T10:00'];
    expect(await json(code, ...closed)).toMatchObject({
      until: { at: '2031-01-07T10:00', status: 'active' },
    });
    for (const [until, status, problem] of [
      ['2030-07-01T11:00', 1, 'It ends before it begins.'],
      ['2030-07-03T11:00', 1, 'It begins again before it ends.'],
      ['later', 2, 'This is not a time.'],
    ] as const) {
      const { exitCode, stderr } = await run(code, ...at, '--until', until);
      expect([exitCode, stderr]).toEqual([status, expect.stringContaining(problem)]);
    }
    expect((await run(code, '--list', '--until', '14:00')).exitCode).toBe(2);
  });

  test('moves a time that a change of clocks leaves out', async () => {
    const planned = await json<Planned>(await newCode(), '--at', '2030-03-31T02:30', '--pause');
    expect(planned).toMatchObject({ at: '2030-03-31T02:30', next: '2030-03-31T01:30:00.000Z' });
  });

  test('cancels a change of the code, and no other', async () => {
    const [code, other] = [await newCode(), await newCode()];
    const { id } = await json<Planned>(code, '--at', '2030-12-24T18:00', '--pause');
    const elsewhere = await run(other, '--cancel', String(id));
    expect([elsewhere.exitCode, elsewhere.stdout]).toEqual([1, '']);
    expect(elsewhere.stderr).toContain('no planned change with this number');
    expect(await json(code, '--cancel', String(id))).toMatchObject({ id });
    expect(await list(code)).toEqual([]);
    expect((await run(code, '--cancel', String(id))).exitCode).toBe(1);
  });

  test.each([
    [['--at', '2030-12-24T18:00'], 2, 'Give one of --url'],
    [['--at', '2030-12-24T18:00', '--pause', '--resume'], 2, 'Give one of --url'],
    [['--at', '2030-12-24T18:00', '--url', 'https://a.example/', '--pause'], 2, 'Give one of'],
    [[], 2, 'Give one of --at'],
    [['--list', '--cancel', '1'], 2, 'Give one of --at'],
    [['--list', '--pause'], 2, 'belong to --at'],
    [['--at', 'tomorrow', '--pause'], 2, 'not a time. Write it as 2026-12-24T18:00'],
    [['--at', '2030-02-30T18:00', '--pause'], 2, 'not a time'],
    [['--at', '2030-12-24T18:00Z', '--pause'], 2, 'not a time'],
    [['--at', '2030-12-24T18:00', '--every', 'month', '--pause'], 2, 'Allowed choices'],
    [['--at', '2020-12-24T18:00', '--pause'], 1, 'This time is over in Europe/Zurich'],
    [['--at', '2099-12-24T18:00', '--pause'], 1, 'up to 5 years ahead'],
    [['--at', '2030-12-24T18:00', '--url', 'menu'], 2, 'http://'],
  ])('refuses %j', async (flags, exitCode, reason) => {
    const code = await newCode();
    const refused = await run(code, ...flags);
    expect([refused.exitCode, refused.stdout]).toEqual([exitCode, '']);
    expect(refused.stderr).toContain(reason);
    expect(await list(code)).toEqual([]);
  });

  test('refuses two of a kind in a minute, more than twenty, and a flagged destination', async () => {
    const code = await newCode();
    const first = await json<Planned>(code, '--at', '2030-12-24T18:00', '--pause');
    const twice = await run(code, '--at', '2030-12-24T18:00', '--resume');
    expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining('this minute')]);
    await server.cli(['safety', 'block', 'bad.example']);
    const bad = await run(code, '--at', '2030-12-24T19:00', '--url', 'https://bad.example/');
    expect([bad.exitCode, bad.stderr]).toEqual([1, expect.stringContaining('dangerous')]);
    expect(await list(code)).toEqual([first]);
    await server.onStores(async ({ accounts, schedule, qrs }) => {
      const account = await accounts.findByEmail(email);
      const qr = account && (await qrs.find(account.id, code));
      if (!qr) throw new Error('the code is missing');
      for (let at = 1; at < 20; at++) {
        const pause = { action: 'pause', destination: null, every: null } as const;
        const when = { firstLocal: '2030-12-25T18:00', nextMs: Date.UTC(2030, 11, 25) + at };
        const change = { ...pause, ...when, scheduledById: null, createdAtMs: 0 };
        const codes = { accountId: account.id, qrIds: [qr.id] };
        await schedule.add(codes, () => [change], { maxPerCode: 20 });
      }
    });
    const many = await run(code, '--at', '2030-12-26T18:00', '--pause');
    expect([many.exitCode, many.stderr]).toEqual([1, expect.stringContaining('20 planned')]);
  });
});

describe('a planned change', () => {
  test('is made by the server as an edit, which the short link and the API follow', async () => {
    const code = await newCode();
    const planned = [
      await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', lunch),
      await json<Planned>(code, '--at', '2030-12-24T19:00', '--every', 'day', '--url', dinner),
    ];
    await makeDue(planned.slice(0, 1));
    await leadsTo(code, lunch);
    const { url } = await api.read(code);
    expect(await visit(url)).toMatchObject({ status: 302, to: lunch });
    // The repeating one stays, at its next time.
    expect(await list(code)).toMatchObject([{ id: planned[1]?.id, problem: null }]);
    await server.onStores(async ({ accounts, qrs }) => {
      const account = await accounts.findByEmail(email);
      const qr = account && (await qrs.find(account.id, code));
      const history = await qrs.formerDestinations(qr?.id ?? 0, 5);
      expect(history.map(({ destination }) => destination)).toEqual(['https://now.example/']);
    });
  });

  test('pauses a code and resumes it', async () => {
    const code = await newCode();
    const { url } = await api.read(code);
    const pause = await json<Planned>(code, '--at', '2030-12-24T18:00', '--pause');
    const resume = await json<Planned>(code, '--at', '2030-12-25T18:00', '--resume');
    await makeDue([pause]);
    await until(async () => (await api.read(code)).status === 'paused');
    expect(await visit(url)).toMatchObject({ status: 410 });
    await makeDue([resume]);
    await until(async () => (await api.read(code)).status === 'active');
    expect(await visit(url)).toMatchObject({ status: 302 });
    expect(await list(code)).toEqual([]);
  });

  test('is left alone by an edit', async () => {
    const code = await newCode();
    const planned = await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', lunch);
    await api.call(`PATCH /qrs/${code}`, { url: 'https://edited.example/' });
    expect(await list(code)).toEqual([planned]);
  });

  test('that was missed is made at the start, in order, before the short link is followed', async () => {
    const code = await newCode();
    const { url } = await api.read(code);
    const planned = [
      await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', dinner),
      await json<Planned>(code, '--at', '2030-12-24T19:00', '--url', lunch),
    ];
    await server.stop();
    await makeDue(planned);
    await server.start();
    await leadsTo(code, lunch);
    expect(await visit(url)).toMatchObject({ status: 302, to: lunch });
    expect(await list(code)).toEqual([]);
  });

  test('to a destination that was flagged since is not made, and says so', async () => {
    const code = await newCode();
    const later = 'https://later.example/';
    const planned = await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', later);
    await server.cli(['safety', 'block', 'later.example']);
    await makeDue([planned]);
    await until(async () => (await list(code))[0]?.next === null);
    expect(await list(code)).toMatchObject([{ problem: expect.stringContaining('dangerous') }]);
    expect((await api.read(code)).destination).toBe('https://now.example/');
    expect(await json(code, '--cancel', String(planned.id))).toMatchObject({ id: planned.id });
  });

  test('of a blocked code does not lift the block, and one without a plan waits for nobody', async () => {
    const [blocked, unpaid] = [await newCode(), await newCode()];
    const resume = await json<Planned>(blocked, '--at', '2030-12-24T18:00', '--resume');
    const move = await json<Planned>(unpaid, '--at', '2030-12-24T18:00', '--url', lunch);
    await server.cli(['safety', 'block-code', blocked]);
    await server.setPlan(email, 'expired');
    await makeDue([resume, move]);
    await until(async () => (await list(unpaid))[0]?.next === null);
    await until(async () => (await list(blocked))[0]?.next === null);
    await server.setPlan(email, 'active');
    expect((await api.read(blocked)).status).toBe('blocked');
    expect((await api.read(unpaid)).destination).toBe('https://now.example/');
    expect(await list(unpaid)).toMatchObject([{ problem: expect.stringContaining('expired') }]);
    expect(await list(blocked)).toMatchObject([{ problem: expect.stringContaining('blocked') }]);
    const refused = await run(unpaid, '--at', '2030-12-25T18:00', '--url', lunch);
    expect(refused.exitCode).toBe(0);
  });

  test('whose wall time is another instant by new rules of its zone is moved at the start', async () => {
    const code = await newCode();
    const planned = await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', lunch);
    const old = Date.parse('2030-12-24T16:00:00Z');
    await makeDue([planned], old);
    expect(await list(code)).toMatchObject([{ next: '2030-12-24T16:00:00.000Z' }]);
    await server.stop();
    await server.start();
    await until(async () => (await list(code))[0]?.next === '2030-12-24T17:00:00.000Z');
  });

  test('keeps its time of day when the account moves to another zone', async () => {
    const traveller = await server.account('traveller@example.org');
    const { code } = await traveller.api.create('https://now.example/');
    await json(code, '--at', '2030-12-24T18:00', '--pause');
    const moved = await server.cli([
      ...['account', 'set', traveller.email, '--time-zone', 'America/New_York'],
    ]);
    expect(moved.stdout).toContain('1 planned change');
    expect(await list(code)).toMatchObject([
      { at: '2030-12-24T18:00', zone: 'America/New_York', next: '2030-12-24T23:00:00.000Z' },
    ]);
  });

  test('stays with an archived code, and comes back with a backup', async () => {
    const code = await newCode();
    const planned = await json<Planned>(code, '--at', '2030-12-24T18:00', '--url', lunch);
    await server.cli(['code', 'archive', code]);
    const exported = await server.cli(['export', '--format', 'json', '--account', email]);
    const record = (JSON.parse(exported.stdout) as { code: string }[]).find(
      (one) => one.code === code,
    );
    const { id: _, by: __, problem: ___, ...change } = planned as Planned & { by: null };
    expect(record).toMatchObject({ planned_changes: [change] });
    const database = await server.otherDatabase('restored');
    const file = `${server.folder}/planned.db`;
    expect((await server.cli(['backup', file])).exitCode).toBe(0);
    const restored = await server.cli(['restore', file], { env: database });
    expect(restored).toMatchObject({ exitCode: 0 });
    const there = await server.cli(['code', 'plan', code, '--list', '--json'], { env: database });
    expect(JSON.parse(there.stdout)).toEqual([planned]);
  });
});
