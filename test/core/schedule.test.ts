import { expect, test } from 'bun:test';
import type { ScheduledAction } from '../../src/core/codes/schedule/change.ts';
import { makeDueChanges, type Verdict } from '../../src/core/codes/schedule/make.ts';
import type { DueCode } from '../../src/core/codes/schedule/ports.ts';
import { nextOccurrence, wallTimeOf } from '../../src/core/codes/schedule/wall-time.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** A Monday. */
const noonMs = Date.UTC(2026, 5, 1, 12);
const zone = 'Europe/Rome';

let ids = 0;
function due(
  action: ScheduledAction | string,
  atMs: number,
  fields: Partial<DueCode['due'][number]> = {},
): DueCode['due'][number] {
  const isDestination = action !== 'pause' && action !== 'resume';
  return {
    ...{ id: ++ids, qrId: 1, accountId: 7, problem: null, every: null, nextMs: atMs },
    action: isDestination ? 'destination' : action,
    destination: isDestination ? action : null,
    firstLocal: wallTimeOf(atMs, zone),
    ...fields,
  };
}

const code = {
  accountId: 7,
  destination: 'https://now.example/',
  status: 'active',
  account: { planUntilMs: null, timeZone: zone },
} as const;

function make(
  changes: DueCode['due'],
  fields: Partial<DueCode> = {},
  verdicts: Readonly<Record<string, Verdict>> = {},
) {
  const checked = new Map<string, Verdict>(
    changes.flatMap(({ destination }) => (destination === null ? [] : [[destination, 'safe']])),
  );
  for (const [destination, verdict] of Object.entries(verdicts)) checked.set(destination, verdict);
  return makeDueChanges({ ...code, ...fields, due: changes }, checked, noonMs);
}

test('missed changes are made in the order of their times', () => {
  const changes = [
    due('https://b/', noonMs - 1),
    due('https://a/', noonMs - 2),
    due('pause', noonMs),
  ];
  expect(make(changes)).toEqual({
    destination: 'https://b/',
    status: 'paused',
    former: [code.destination, 'https://a/'],
    needsRecheck: false,
    over: [changes[1]?.id ?? 0, changes[0]?.id ?? 0, changes[2]?.id ?? 0],
    kept: [],
  });
});

test('of a repeating change that was missed for days, the latest time counts', () => {
  // It is 14:00 in Rome. Nothing was made since three days ago.
  const lunch = due('https://lunch/', noonMs - 3 * day - hour, { every: 'day' });
  const dinner = due('https://dinner/', noonMs - 3 * day - 20 * hour, { every: 'day' });
  expect(wallTimeOf(lunch.nextMs ?? 0, zone).slice(11)).toBe('13:00');
  expect(make([lunch, dinner])).toEqual({
    destination: 'https://lunch/',
    status: 'active',
    former: [code.destination, 'https://dinner/'],
    needsRecheck: false,
    over: [],
    kept: [
      { id: dinner.id, nextMs: noonMs + 4 * hour, problem: null },
      { id: lunch.id, nextMs: noonMs + 23 * hour, problem: null },
    ],
  });
});

test('the end is that of a server that was never away', () => {
  const destinations = ['https://a/', 'https://b/', 'https://c/'];
  // A generator of pseudo-random numbers, so that a failure repeats itself.
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const changes = Array.from({ length: 1 + random(6) }, (_, index) => {
      const every = ([null, 'day', 'week'] as const)[random(3)] ?? null;
      const action = ['pause', 'resume', ...destinations][random(5)] ?? 'pause';
      // Distinct minutes of the last twelve days.
      return due(action, noonMs - random(17_280) * 60_000 - index * 1000, { every });
    }).map((change) => ({ ...change, nextMs: nextOccurrence(change, zone, 0) }));
    const times = changes.flatMap((change) => {
      const found: { atMs: number; change: typeof change }[] = [];
      for (let atMs = change.nextMs; atMs !== null && atMs <= noonMs; ) {
        found.push({ atMs, change });
        atMs = nextOccurrence(change, zone, atMs);
      }
      return found;
    });
    times.sort((one, other) => one.atMs - other.atMs || one.change.id - other.change.id);
    let expected: { destination: string; status: DueCode['status'] } = code;
    for (const { change } of times)
      expected = {
        destination: change.destination ?? expected.destination,
        status: { destination: expected.status, pause: 'paused', resume: 'active' }[
          change.action
        ] as DueCode['status'],
      };
    const { destination, status } = expected;
    expect(make(changes)).toMatchObject({ destination, status });
  }
});

test('what cannot be made says why; it is over, or waits for its next time', () => {
  const flagged = due('https://bad/', noonMs - hour);
  const own = due('https://own/', noonMs, { every: 'week' });
  const made = make([flagged, own], {}, { 'https://bad/': 'flagged', 'https://own/': 'not valid' });
  expect(made).toMatchObject({ destination: code.destination, former: [], over: [] });
  expect(made.kept).toEqual([
    { id: flagged.id, nextMs: null, problem: 'flagged' },
    {
      id: own.id,
      nextMs: nextOccurrence(own, zone, noonMs),
      problem: 'not valid',
    },
  ]);
});

test('without a plan the destination stays, and pauses are made', () => {
  const changes = [due('https://a/', noonMs - 1), due('pause', noonMs)];
  const expired = { planUntilMs: noonMs - 1, timeZone: zone };
  expect(make(changes, { account: expired })).toMatchObject({
    destination: code.destination,
    status: 'paused',
    kept: [{ problem: 'no plan' }],
  });
});

test('a blocked code stays blocked, and leads elsewhere afterwards', () => {
  const changes = [due('https://a/', noonMs - 1), due('resume', noonMs)];
  expect(make(changes, { status: 'blocked' })).toMatchObject({
    destination: 'https://a/',
    status: 'blocked',
    over: [changes[0]?.id],
    kept: [{ id: changes[1]?.id, nextMs: null, problem: 'blocked' }],
  });
});

test('what changes nothing leaves no history, and a success forgets the problem', () => {
  const same = due(code.destination, noonMs, { every: 'day', problem: 'flagged' });
  expect(make([same, due('resume', noonMs)])).toMatchObject({
    ...{ destination: code.destination, status: 'active', former: [], needsRecheck: false },
    kept: [{ id: same.id, problem: null }],
  });
});

test('a change that was not checked waits, with those after it', () => {
  const [first, unchecked, last] = [
    due('pause', noonMs - 3),
    due('https://new/', noonMs - 2),
    due('resume', noonMs - 1),
  ];
  const made = makeDueChanges({ ...code, due: [first, unchecked, last] }, new Map(), noonMs);
  expect(made).toMatchObject({ status: 'paused', over: [first.id], kept: [] });
});

test('changes of a former owner end, and a stopped code stays stopped', () => {
  const foreign = due('https://a/', noonMs, { accountId: 8 });
  expect(make([foreign])).toMatchObject({ destination: code.destination, over: [foreign.id] });
  const own = due('resume', noonMs);
  expect(make([own], { status: 'stopped' })).toMatchObject({ status: 'stopped', over: [own.id] });
});
