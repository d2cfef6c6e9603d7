import { describe, expect, test } from 'bun:test';
import { setTimes } from '../support/planned.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createCode, type PanelClient, signedIn } from './client.ts';
import { fieldOf, parsePage, textOf } from './page.ts';

const server = await sharedServer();

const year = new Date().getUTCFullYear() + 1;
const christmas = { day: `${year}-12-24`, time: '18:00' };
const url = 'https://example.org/christmas';

async function planner(email: string, name = 'Table 1') {
  const client = await signedIn(server, email);
  const code = await createCode(client, 'https://example.org/menu', { name });
  const csrf = await client.csrf();
  const page = `/account/codes/${code}`;
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    client.post(`${page}/${path}`, { csrf, ...fields });
  const text = async (path = page) => textOf((await client.get(path)).text);
  const stored = async () => {
    const { stdout } = await server.cli(['code', 'plan', code, '--list', '--json']);
    return JSON.parse(stdout) as { id: number; at: string; next: string; every: string | null }[];
  };
  /** Lets all planned changes of the code be due. */
  const makeDue = async () => {
    const planned = await stored();
    const times = Object.fromEntries(planned.map(({ id }) => [id, Date.now() - 1]));
    await server.onStores((stores) => setTimes(stores, times));
  };
  return { client, code, csrf, page, post, text, stored, makeDue };
}

/** Sends the form of the toast of a page. */
async function undo(client: PanelClient, path: string) {
  const { text } = await client.get(path);
  const toast = text.slice(text.indexOf('class="toast"'));
  const [form] = parsePage(toast).forms;
  if (form === undefined) throw new Error(`${path} has no Undo`);
  const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
  return client.post(form.action, fields);
}

describe('a change of a code', () => {
  test('is planned, shown, changed, deleted, and planned again by Undo', async () => {
    const { client, page, post, text, stored } = await planner('plans@example.org');
    expect(await text()).not.toContain('Planned');
    const planned = await post('plan', { ...christmas, change: 'destination', url });
    expect([planned.status, planned.to]).toEqual([303, page]);
    const shown = await text();
    expect(shown).toMatch(/Planned: [A-Z][a-z]{2}, 24 Dec \d{4}, 18:00, in UTC\./);
    expect(shown).toMatch(/Planned 1.*24 Dec \d{4}, 18:00 → example\.org\/christmas/);
    const [first] = await stored();
    expect(first).toMatchObject({ at: `${year}-12-24T18:00`, every: null });

    const id = String(first?.id);
    const edit = (await client.get(`${page}/plan?id=${id}`)).text;
    expect(fieldOf(edit, 'day')?.value).toBe(christmas.day);
    expect(fieldOf(edit, 'time')?.value).toBe('18:00');
    await post('plan', { ...christmas, id, every: 'day', change: 'pause' });
    expect(await stored()).toMatchObject([{ every: 'day', status: 'paused' }]);
    // The change that was edited is gone.
    const again = await post('plan', { ...christmas, id, change: 'resume' });
    expect([again.status, textOf(again.text)]).toEqual([422, expect.stringContaining('is gone')]);

    const [second] = await stored();
    await client.get(page);
    await post('plan/cancel', { id: String(second?.id) });
    expect(await stored()).toEqual([]);
  });

  test('is planned again by the Undo of its deletion, and deleted by that of planning it', async () => {
    const { client, page, post, stored } = await planner('undo@example.org');
    await post('plan', { ...christmas, change: 'destination', url });
    await undo(client, page);
    expect(await stored()).toEqual([]);
    await client.get(page);
    await post('plan', { ...christmas, every: 'day', change: 'destination', url });
    await client.get(page);
    const [planned] = await stored();
    await post('plan/cancel', { id: String(planned?.id) });
    await undo(client, page);
    expect(await stored()).toMatchObject([{ at: planned?.at ?? '', every: 'day' }]);
  });

  test('that repeats every week is one for each day that is ticked', async () => {
    const { post, stored, text } = await planner('weekly@example.org');
    const days = { monday: 'yes', friday: 'yes' };
    await post('plan', { ...christmas, every: 'week', ...days, change: 'pause' });
    const planned = await stored();
    expect(planned.map(({ at }) => Temporal.PlainDateTime.from(at).dayOfWeek).sort()).toEqual([
      1, 5,
    ]);
    expect(planned.every(({ at, every }) => at >= christmas.day && every === 'week')).toBe(true);
    const shown = await text();
    expect(shown).toContain('Every Monday, 18:00');
    expect(shown).toContain('Every Friday, 18:00');
    // Without a day, it is that of the first time.
    await post('plan', { day: christmas.day, time: '07:00', every: 'week', change: 'resume' });
    expect((await stored()).filter(({ at }) => at === `${christmas.day}T07:00`)).toHaveLength(1);
  });

  test('at a time that the clocks leave out says when it is made', async () => {
    const { client, csrf, post, text } = await planner('clocks@example.org');
    await client.post('/account/settings/time-zone', { csrf, zone: 'Europe/Zurich' });
    const monthEnd = Temporal.PlainDate.from(`${year}-03-31`);
    const sunday = monthEnd.subtract({ days: monthEnd.dayOfWeek % 7 });
    await post('plan', { day: sunday.toString(), time: '02:30', change: 'pause' });
    expect(await text()).toContain('there is no 02:30 in Zurich: it happens at 03:30.');
  });

  test('is rejected at the field that is wrong, and what was typed stays', async () => {
    const { post, stored } = await planner('wrong@example.org');
    const cases = [
      [{ day: '', time: '18:00', change: 'pause' }, 'day', 'Choose a day and a time.'],
      [{ day: '2020-01-01', time: '18:00', change: 'pause' }, 'day', 'That time is over.'],
      [{ ...christmas, change: 'destination', url: '' }, 'url', 'Enter the address'],
      [{ ...christmas, change: 'destination', url: 'http://127.0.0.1:1/%' }, 'url', ''],
      [{ ...christmas, change: 'destination', url: 'javascript:alert(1)' }, 'url', ''],
    ] as const;
    for (const [fields, name, reason] of cases) {
      const { status, text } = await post('plan', fields);
      if (status === 303) continue;
      expect([fields, status]).toEqual([fields, 422]);
      const field = fieldOf(text, name);
      expect(field?.descriptions.join(' ')).toContain(reason);
      expect(fieldOf(text, 'time')?.value).toBe('18:00');
    }
    expect((await post('plan', { ...christmas, change: 'block' })).status).toBe(422);
    expect((await stored()).length).toBeLessThan(2);
  });

  test('of another account cannot be seen, changed or made', async () => {
    const owner = await planner('owner-of-plans@example.org');
    await owner.post('plan', { ...christmas, change: 'pause' });
    const id = String((await owner.stored())[0]?.id);
    const stranger = await planner('stranger-of-plans@example.org');
    for (const path of ['plan', 'plan/now', 'plan/cancel']) {
      const fields = { csrf: stranger.csrf, ...christmas, id, change: 'resume' };
      expect((await stranger.client.post(`${owner.page}/${path}`, fields)).status).toBe(404);
      // Neither by the own code.
      expect((await stranger.post(path, fields)).status).not.toBe(303);
    }
    expect(await owner.stored()).toMatchObject([{ id: Number(id), status: 'paused' }]);
  });
});

describe('a planned change', () => {
  test('that was made is in the history, and is undone by one click', async () => {
    const { client, csrf, page, post, text, makeDue } = await planner('made@example.org');
    await post('plan', { ...christmas, change: 'destination', url });
    await makeDue();
    await until(async () => (await text()).includes('as planned'));
    expect(await text(`${page}/history`)).toContain(', as planned');
    const { forms } = parsePage((await client.get(page)).text);
    // Beside the form of another destination, which is part of the page too.
    const back = forms.find(
      ({ action, fields }) =>
        action.endsWith('/destination') &&
        fields.some(({ name, type }) => name === 'url' && type === 'hidden'),
    );
    const former = back?.fields.find(({ name }) => name === 'url')?.value ?? '';
    expect(former).toBe('https://example.org/menu');
    await post('destination', { csrf, url: former });
    expect(await text()).not.toContain('as planned.');
  });

  test('has an end, which is planned and undone with it, and is said before', async () => {
    const { client, page, post, text, stored } = await planner('ends@example.org');
    const lunch = {
      ...christmas,
      every: 'day',
      change: 'destination',
      url: 'osteria.example/lunch',
    };
    const end = { back: 'yes', backDay: '', backTime: '19:30' };
    // Without a script, a button says what happens, and plans nothing.
    const checked = await post('plan', { ...lunch, ...end, do: 'check' });
    const said =
      /Every day from \w{3}, 24 Dec \d{4}, in \d+ days\. At 18:00 it leads to osteria\.example\/lunch, at 19:30 to example\.org\/menu again\./;
    expect([checked.status, textOf(checked.text)]).toEqual([422, expect.stringMatching(said)]);
    expect(fieldOf(checked.text, 'backTime')?.value).toBe('19:30');
    expect(await stored()).toEqual([]);
    // With one, it asks for the sentence alone.
    const query = new URLSearchParams({ ...lunch, ...end });
    const proof = await client.get(`${page}/plan/proof?${query}`);
    expect(textOf(proof.text)).toMatch(said);
    expect(
      textOf((await client.get(`${page}/plan/proof?day=2020-01-01&time=12:00`)).text),
    ).toContain('That time is over.');
    expect((await post('plan', { ...lunch, ...end })).to).toBe(page);
    expect(await stored()).toMatchObject([
      { at: `${year}-12-24T18:00`, every: 'day', url: 'https://osteria.example/lunch' },
      { at: `${year}-12-24T19:30`, every: 'day', url: 'https://example.org/menu' },
    ]);
    expect(await text()).toContain('and back: Every day, 19:30');
    await post('plan/cancel', { id: (await stored()).map(({ id }) => id).join(' ') });
    expect(await stored()).toEqual([]);
    for (const [fields, problem] of [
      [{ ...end, backDay: `${year}-12-23` }, 'It goes back before it begins.'],
      [{ ...end, backTime: '' }, 'Choose a day and a time.'],
      [{ ...end, backTime: '18:00' }, 'It begins again before it has gone back.'],
    ] as const) {
      const refused = await post('plan', { ...lunch, ...fields });
      expect([refused.status, fieldOf(refused.text, 'backTime')?.descriptions.at(-1)]).toEqual([
        422,
        expect.stringContaining(problem),
      ]);
    }
  });

  test('that was not made needs attention, and is tried again', async () => {
    const { client, page, post, text, stored, makeDue } = await planner('problem@example.org');
    const flagged = 'https://flagged-by-then.example/';
    await post('plan', { ...christmas, change: 'destination', url: flagged });
    await server.cli(['safety', 'block', 'flagged-by-then.example']);
    await makeDue();
    await until(async () =>
      (await text()).includes('Not done, because the destination is flagged'),
    );
    // The overview leads to codes that were scanned.
    await client.post('/account/start', { csrf: await client.csrf(), step: 'skip' });
    expect(await text('/account')).toContain('1 planned change was not made');
    expect(await text('/account/planned')).toContain('Not done, because the destination');
    const id = String((await stored())[0]?.id);
    const refused = await post('plan/now', { id });
    expect([refused.status, textOf(refused.text)]).toEqual([
      expect.any(Number),
      expect.stringContaining('dangerous'),
    ]);
    await server.cli(['safety', 'remove', 'flagged-by-then.example']);
    expect((await post('plan/now', { id, list: '/account/planned' })).to).toBe('/account/planned');
    expect(await stored()).toEqual([]);
    expect(await text()).toContain('flagged-by-then.example');
    expect((await client.get(page)).status).toBe(200);
  });

  test('of tomorrow is a quiet line of the overview, also one that repeats and comes before', async () => {
    const { client, post, text } = await planner('tomorrow@example.org', 'Wine list');
    await client.post('/account/start', { csrf: await client.csrf(), step: 'skip' });
    const in2Days = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await post('plan', { day: in2Days(1), time: '18:00', change: 'pause' });
    await post('plan', { day: in2Days(2), time: '18:00', change: 'resume' });
    await post('plan', {
      day: in2Days(1),
      time: '11:30',
      every: 'day',
      change: 'destination',
      url,
    });
    const shown = await text('/account');
    expect(shown).not.toContain('Needs attention');
    expect(shown).toContain(
      'Planned tomorrow: 11:30 Wine list leads to example.org/christmas · 18:00 Wine list is paused',
    );
  });

  test('of every day needs no attention, and stays in the line of today once it was made', async () => {
    const { client, post, text, stored } = await planner('daily@example.org', 'Menu');
    const csrf = await client.csrf();
    await client.post('/account/start', { csrf, step: 'skip' });
    // Where it is about ten in the morning now.
    const offset = ((10 - new Date().getUTCHours() + 36) % 24) - 12;
    const zone = offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
    await client.post('/account/settings/time-zone', { csrf, zone });
    const day = new Date(Date.now() + offset * 3_600_000).toISOString().slice(0, 10);
    const daily = { day, every: 'day', change: 'destination' };
    await post('plan', { ...daily, time: '13:30', url: 'https://example.org/lunch' });
    await post('plan', { ...daily, time: '18:00', url: 'https://example.org/dinner' });
    const said =
      'Planned today: 13:30 Menu leads to example.org/lunch · 18:00 Menu leads to example.org/dinner';
    expect(await text('/account')).toContain(said);
    const second = await createCode(client, 'https://example.org/2', { name: 'Bar' });
    const path = `/account/codes/${second}/plan`;
    await client.post(path, { csrf, ...daily, time: '18:00', url: 'https://example.org/dinner' });
    const shown = await text('/account');
    expect(shown).toContain('18:00 2 codes lead to example.org/dinner');
    expect(shown).not.toContain('Needs attention');
    expect(await stored()).toHaveLength(2);
  });
});

describe('changes of many codes', () => {
  test('are planned at once, for a selection and for a folder; codes that cannot take one are left out', async () => {
    const { client, csrf, code, post, stored } = await planner('planner-of-many@example.org');
    const second = await createCode(client, 'https://example.org/2', { folder: 'Menus' });
    await createCode(client, 'https://example.org/3', { folder: 'Menus' });
    await post('plan', { ...christmas, change: 'pause' });
    const list = '/account/codes';
    const dialog = await client.post('/account/selection', {
      ...{ csrf, list, all: 'yes', q: '', open: 'plan' },
    });
    expect(textOf(dialog.text)).toContain('All 3 codes.');
    const all = { csrf, list, all: 'yes', q: '' };
    const ends = { back: 'yes', backTime: '20:00' };
    const said = await client.get(
      `/account/selection/plan/proof?${new URLSearchParams({ ...christmas, ...ends, change: 'resume' })}`,
    );
    expect(textOf(said.text)).toContain(
      'They are resumed until 20:00, then they are paused again.',
    );
    const sent = await client.post('/account/selection/plan', {
      ...all,
      ...christmas,
      change: 'resume',
    });
    expect(sent.to).toBe(list);
    const told = textOf((await client.get(list)).text);
    expect(told).toContain('Planned for 2 codes. 1 was left out');
    expect(await stored()).toHaveLength(1);

    const folder = `${list}?folder=in%3AMenus`;
    const shown = (await client.get(folder)).text;
    expect(textOf(shown)).toContain('Pause all 2');
    const { forms } = parsePage(shown);
    const pause = forms.find(({ fields }) => fields.some(({ value }) => value === 'pause'));
    const fields = Object.fromEntries(
      (pause?.fields ?? []).map(({ name, value }) => [name, value]),
    );
    await client.post(pause?.action ?? '', fields);
    const paused = textOf((await client.get(folder)).text);
    expect(paused).toContain('2 codes paused.');
    expect(paused).toContain('Resume all 2');
    expect(paused).not.toContain('Pause all');
    const outside = textOf((await client.get(`/account/codes/${code}`)).text);
    expect(outside).toContain('Active');
    expect(second).toBeString();
  });

  test('are refused where nothing is selected', async () => {
    const { client, csrf } = await planner('none@example.org');
    const fields = { csrf, list: '/account/codes', ...christmas, change: 'pause' };
    const { to } = await client.post('/account/selection/plan', fields);
    expect(to).toBe('/account/codes');
    expect(textOf((await client.get('/account/codes')).text)).toContain('Planned for 0 codes');
  });
});
