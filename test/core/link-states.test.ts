import { expect, test } from 'bun:test';
import type { ForeignLink } from '../../src/core/codes/imports/sources.ts';
import { importLinks, link, parse, stored } from './sample-links.ts';

const { destination } = link;

test.each<[string, object, string | undefined]>([
  ['archived', { archived: true }, 'archived'],
  ['archived', { archived: 1 }, 'archived'],
  ['archived', { isArchived: 'true' }, 'archived'],
  ['archived', { archived: false }, undefined],
  ['banned', { banned: true }, 'banned'],
  ['banned', { banned: false, password: false }, undefined],
  ['disabledAt', { disabledAt: '2024-01-01T00:00:00Z' }, 'disabled'],
  ['disabledAt', { disabledAt: null, password: null }, undefined],
  ['status', { status: 'disabled' }, 'disabled'],
  ['status', { status: 'active' }, undefined],
  ['status', { status: 301 }, undefined],
  ['deleted', { deleted: true, archived: true }, 'deleted'],
  ['isActive', { isActive: false }, 'disabled'],
  ['isActive', { isActive: true }, undefined],
  ['is_disabled', { is_disabled: '1' }, 'disabled'],
  ['password', { password: 'secret' }, 'password'],
  ['password', { password: true }, 'password'],
  ['hasPassword', { hasPassword: true }, 'password'],
  ['password', { password: 'NULL' }, undefined],
  ['secret_key', { secret_key: 'x9Kf' }, 'password'],
  ['password', { password: 'no-entry' }, 'password'],
  ['passwordProtected', { passwordProtected: 'Not set' }, undefined],
  ['suspended_at', { suspended_at: 1700000000 }, 'banned'],
  ['deleted_at', { deleted_at: '0001-01-01T00:00:00Z' }, undefined],
  ['hidden', { hidden: 'TRUE' }, 'archived'],
  ['archived', { archived: 'FALSCH' }, undefined],
  ['active', { active: 'WAHR' }, undefined],
  ['active', { active: 'FAUX' }, 'disabled'],
  ['locked', { locked: true }, 'disabled'],
  ['enabled', { enabled: 'disabled' }, 'disabled'],
  ['activated_at', { activated_at: '2024-01-01' }, undefined],
  ['settings', { settings: { password: 'x' } }, 'password'],
  ['status', { status: { value: 'blocked', label: 'Blocked' } }, 'banned'],
  ['domain', { domain: { active: false } }, undefined],
  ['status', { status: 0 }, 'disabled'],
  ['status', { status: 'not active' }, 'disabled'],
  ['status', { status: 'limit reached' }, 'unknown'],
  ['status', { status: 'Live' }, undefined],
  ['rowStatus', { rowStatus: 'ARCHIVED' }, 'archived'],
  ['Status', { 'Current status (QR code)': 'Paused' }, 'disabled'],
  // It may be that of an address.
  ['state', { state: 'Ohio' }, undefined],
  ['state', { state: 'DEACTIVATED' }, 'disabled'],
  ['Estado', { Estado: 'Sonora' }, undefined],
  ['Estado', { Estado: 'Inactivo' }, 'disabled'],
  ['Aktiv', { Aktiv: 'Nein' }, 'disabled'],
  ['Archiviert', { Archiviert: 'Ja' }, 'archived'],
  ['Statut', { Statut: 'Actif' }, undefined],
  ['Statut', { Statut: 'Désactivé' }, 'disabled'],
  ['Статус', { Статус: 'активна' }, undefined],
  ['Passwort', { Passwort: 'geheim' }, 'password'],
  ['draft', { draft: true }, 'disabled'],
])('the state of a link is read from %s: %j', (_, fields, inactive) => {
  const item = { link: 'https://s.example/x', long_url: destination, ...fields };
  expect(parse(JSON.stringify([item])).links[0]?.inactive).toBe(inactive as undefined);
  const [name = '', value] = Object.entries(fields)[0] ?? [];
  const table = `path,destination,${name}\nx,${destination},${value ?? ''}`;
  if (Object.keys(fields).length === 1 && typeof value !== 'object')
    expect(parse(table).links[0]?.inactive).toBe(inactive as undefined);
});

test('a link that is over or has not begun is imported paused', async () => {
  // The clock of the test stands at 1970.
  const [past, future] = ['1960-01-01', '1980-01-01T00:00:00Z'];
  const cases: [Partial<ForeignLink>, 'active' | 'paused'][] = [
    [{ expires: '1970-01-01' }, 'paused'],
    [{ expires: future }, 'active'],
    [{ starts: future }, 'paused'],
    [{ starts: past }, 'active'],
    [{ maxScans: '120' }, 'paused'],
    [{ maxScans: '121' }, 'active'],
    [{ inactive: 'banned' }, 'paused'],
    [{ expires: 'soon' }, 'paused'],
    [{ maxScans: '120', isFurther: true }, 'paused'],
    [{}, 'active'],
  ];
  const links = await stored(cases.map(([fields]) => fields));
  expect(links.map(({ status }) => status)).toEqual(cases.map(([, status]) => status));
  const meta = { validSince: '2030-01-01', validUntil: '2031-01-01', maxVisits: 9 };
  const shlink = { shortCode: 'x', shortUrl: 'https://s.example/x', longUrl: destination, meta };
  expect(parse(JSON.stringify({ shortUrls: { data: [shlink] } })).links).toMatchObject([
    { starts: '2030-01-01', expires: '2031-01-01', maxScans: '9' },
  ]);
});

test.each([
  ...['expiry_time', 'expire_at_datetime', 'expiresAt', 'expiredAt', 'Expiration date', 'End date'],
  ...[
    'Ablaufdatum',
    'Gültig bis',
    'Date d’expiration',
    'valid_to',
    'expire_in',
    'settings.expires_on',
    'Link expiration date and time (UTC)',
  ],
])('the end of a link is read from %s', (name) => {
  const endOf = (value: string) =>
    parse(`path,destination,${name}\nx,${destination},${value}`).links[0]?.expires;
  expect(endOf('2024-01-01')).toBe('2024-01-01');
  for (const none of ['', '0', '-1', 'Never', 'No expiry', '0001-01-01T00:00:00Z'])
    expect([none, endOf(none)]).toEqual([none, undefined]);
});

test.each([
  'expire_at_views',
  'clicksLimit',
  'maxViews',
  'Max hits',
  'scan limit',
  'expireAfterVisits',
])('the maximum of scans is read from %s', (name) => {
  const table = `path,destination,${name}\nx,${destination},5`;
  expect(parse(table).links).toMatchObject([{ maxScans: '5' }]);
});

test('what a link does at the other service alone is named by its rows', async () => {
  const url = 'https://apps.example/x';
  const cases: [object, string[] | undefined][] = [
    [{ ios: url, geo: { US: url } }, ['targeted']],
    [{ ios: null, geo: null, deviceLongUrls: { android: null }, rules: [] }, undefined],
    [{ deviceLongUrls: { android: url } }, ['targeted']],
    [{ hasRedirectRules: true }, ['targeted']],
    [{ meta: { smart_urls: [{ type: 'US', url }] } }, ['targeted']],
    [{ iphoneURL: url, utmSource: 'flyer' }, ['targeted', 'parameters']],
    [{ splitPercent: 30 }, ['targeted']],
    [{ redirects: [{ country: 'US', url }] }, ['targeted']],
    [{ redirects: 7 }, undefined],
    [{ cloaking: false, utm_source: 'a', utm_id: '' }, undefined],
    [{ android: true, country: 'DE' }, undefined],
  ];
  const items = cases.map(([fields], at) => ({
    ...{ slug: `x${at}`, destination: 'https://example.com/?utm_source=a', ...fields },
    ...('utmSource' in fields && { destination }),
  }));
  const links = parse(JSON.stringify(items)).links;
  expect(links.map(({ differences }) => differences as unknown)).toEqual(cases.map(([, is]) => is));
  const differing = await importLinks(
    [{ differences: ['targeted'] }, { expires: '1980-01-01' }, { expires: '1960-01-01' }],
    async () => 1,
  );
  expect(differing).toMatchObject({
    differing: [
      { row: 2, difference: 'targeted' },
      { row: 3, difference: 'ends' },
    ],
    paused: [{ row: 4, reason: 'expired' }],
  });
});
