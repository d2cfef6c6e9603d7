import { afterAll, describe, expect, test } from 'bun:test';
import { signedIn } from '../panel/client.ts';
import { fieldOf, parsePage, sentFields, textOf } from '../panel/page.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startServer(oneProcess);
afterAll(() => server.close());
const email: string = 'anna@example.org';
const other = 'ben@example.org';
const anna = await signedIn(server, email);
const ben = await signedIn(server, other);

const main = server.origin;
const brand = 'https://go.brand.example';
const shop = 'https://shop.example';
for (const domain of [[brand], [shop, '--account', email]])
  await server.cli(['domain', 'add', ...domain]);

/** Imports a table. Returns the exit code, and what is printed as JSON. */
async function load(table: string, owner = email, ...options: string[]) {
  const args = ['code', 'import', '-', '--account', owner, '--json', ...options];
  const { exitCode, stdout, stderr } = await server.cli(args, { stdin: table });
  return { exitCode, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
}
/** Returns the codes of a search, the first of the table first. */
async function found(text: string, owner = email) {
  const args = ['code', 'list', '--account', owner, '--search', text, '--json'];
  const { data } = JSON.parse((await server.cli(args)).stdout);
  return data as Record<string, string>[];
}
const prefixesOf = async (text: string, owner = email) =>
  (await found(text, owner)).map(({ url = '', code = '' }) => url.replace(`/${code}`, ''));
const reasonsOf = ({ refused }: { refused: { row: number; reason: string }[] }) =>
  refused.map(({ row, reason }) => [row, reason]);

describe('a column of domains', () => {
  test('prints each code with the domain of its row, however that is written', async () => {
    const written = [
      ...['go.brand.example', 'https://go.brand.example', 'HTTPS://Go.Brand.Example/'],
      ...[shop, 'shop.example/', main, ''],
    ];
    const rows = written.map((domain, at) => `Written ${at},https://example.com/${at},${domain}`);
    const table = ['name,destination,Domain', ...rows].join('\n');
    expect(await load(table)).toMatchObject({ exitCode: 0, created: rows.length, refused: [] });
    expect(await prefixesOf('Written')).toEqual([brand, brand, brand, shop, shop, main, main]);
    expect(await load(table)).toMatchObject({ exitCode: 0, created: 0, existing: rows.length });
  });

  test('is known by its name or by an option, and its addresses are no destinations', async () => {
    const table = `Name,Link,Domain\nBy name,https://example.com/n,${brand}\n`;
    expect(await load(table)).toMatchObject({ exitCode: 0, created: 1 });
    expect(await prefixesOf('By name')).toEqual([brand]);
    const said = `Name,destination,Marke\nBy option,https://example.com/o,${shop}\n`;
    expect(await load(said, email, '--column', 'domain=Marke')).toMatchObject({ created: 1 });
    expect(await prefixesOf('By option')).toEqual([shop]);
    const left = `name,destination,domain\nIgnored,https://example.com/i,Catering\n`;
    expect(await load(left, email, '--column', 'ignore=domain')).toMatchObject({ created: 1 });
    expect(await prefixesOf('Ignored')).toEqual([main]);
  });

  test('without it, the domain is that of the account', async () => {
    await server.cli(['account', 'set', email, '--domain', shop]);
    const table = 'name,destination,domain\nUsual,https://example.com/u,\n';
    expect(await load(table)).toMatchObject({ created: 1 });
    expect(await load('name,destination\nPlain,https://example.com/p\n')).toMatchObject({
      created: 1,
    });
    await server.cli(['account', 'set', email, '--domain', '']);
    expect([...(await prefixesOf('Usual')), ...(await prefixesOf('Plain'))]).toEqual([shop, shop]);
  });

  test('is never guessed', async () => {
    const wrong = [
      ...['nowhere.example', 'brand.example', 'http://go.brand.example', `${brand}/menu`, 'go'],
      ...[`${brand}:8443`, 'https://user@go.brand.example', 'go.brand.example.', '#REF!'],
    ];
    const rows = wrong.map((domain, at) => `https://example.com/${at},"${domain}"`);
    const report = await load(['destination,domain', ...rows].join('\n'));
    expect(report).toMatchObject({ exitCode: 1, created: 0 });
    expect(reasonsOf(report)).toEqual(
      wrong.map((domain, at) => [at + 2, expect.stringContaining(domain)]),
    );
  });

  test('of an account that may not use a domain names its rows', async () => {
    const report = await load(`destination,domain\nhttps://example.com/1,${shop}\n`, other);
    expect(reasonsOf(report)).toEqual([[2, `The account cannot use the domain ${shop}.`]]);
    const table = `name,destination,domain\nOf all,https://example.com/1,${brand}\n`;
    expect(await load(table, other)).toMatchObject({ created: 1 });
    expect(await prefixesOf('Of all', other)).toEqual([brand]);
  });

  test('makes the same name and destination two codes, and the same three one', async () => {
    const row = (domain: string) => `Twice,https://example.com/twice,${domain}`;
    const head = 'name,destination,domain';
    const twice = await load([head, row(brand), row(shop), row('go.brand.example/')].join('\n'));
    expect(reasonsOf(twice)).toEqual([[4, expect.stringContaining('Row 2')]]);
    expect(await load([head, row(brand)].join('\n'))).toMatchObject({ created: 1 });
    const again = await load([head, row(brand), row(shop)].join('\n'));
    expect(again).toMatchObject({ exitCode: 0, created: 1, existing: 1 });
    expect(await prefixesOf('Twice')).toEqual([shop, brand]);
  });

  test('has paths of its own for each domain', async () => {
    const row = (path: string, domain: string) =>
      `https://example.com/${encodeURIComponent(`${path} ${domain}`)},${path},${domain}`;
    const head = 'destination,path,domain';
    const first = [head, row('menu', ''), row('menu', brand), row('menu', 'shop.example')];
    expect(await load(first.join('\n'))).toMatchObject({ exitCode: 0, created: 3 });
    const second = [
      ...[head, row('Menu', 'go.brand.example'), row('menu', shop), row('card', brand)],
      ...[row('Card', 'https://go.brand.example/'), row('card', shop), row('MENU', main)],
    ];
    expect(reasonsOf(await load(second.join('\n')))).toEqual([
      [2, expect.stringContaining('only in capitals')],
      [3, '/menu exists already.'],
      [5, expect.stringContaining('Row 4')],
      [7, expect.stringContaining('only in capitals')],
    ]);
    await server.cli(['account', 'set', email, '--domain', shop]);
    const usual = await load([head, `https://example.com/usual,menu,`, row('soup', '')].join('\n'));
    await server.cli(['account', 'set', email, '--domain', '']);
    expect(reasonsOf(usual)).toEqual([[2, '/menu exists already.']]);
  });

  test.each(['csv', 'json'])('comes back from an export as %s', async (format) => {
    const owner = (await server.account()).email;
    const table = [
      'name,destination,domain,path,pass query',
      `A,https://example.com/a,${brand},${format}-menu,on`,
      `B,https://example.com/b,${main},${format}-menu,`,
      `C,https://example.com/c,,,`,
    ].join('\n');
    expect(await load(table, owner)).toMatchObject({ created: 3 });
    const { stdout } = await server.cli(['export', '--account', owner, '--format', format]);
    const records: Record<string, string>[] = format === 'json' ? JSON.parse(stdout) : [];
    const names = ['name', 'destination', 'domain', 'path', 'query'];
    const csv =
      format === 'csv'
        ? stdout
        : [names, ...records.map((one) => names.map((name) => one[name] ?? ''))].join('\n');
    const copy = (await server.account()).email;
    const moved = csv.replaceAll(`${format}-menu`, `${format}-copy`);
    expect(await load(moved, copy)).toMatchObject({ exitCode: 0, created: 3 });
    const valuesOf = async (account: string) =>
      (await found('', account))
        .map(({ name, url = '', code = '', path, query }) => [
          ...[name, url.replace(code, ''), path?.replace(/^\w+-/, ''), query],
        ])
        .sort();
    expect(await valuesOf(copy)).toEqual([
      ['A', `${brand}/`, expect.any(String), 'on'],
      ['B', `${main}/`, expect.any(String), undefined],
      ['C', `${main}/`, undefined, undefined],
    ]);
  });
});

describe('columns of utm parameters', () => {
  const destinations = async (text: string) =>
    (await found(text)).map(({ destination }) => destination);

  test('are put into the destination only where somebody says so', async () => {
    const table = 'name,destination,utm_source\nUnsaid,https://example.com/,flyer\n';
    const { exitCode, stdout } = await server.cli(['code', 'import', '-', '--account', email], {
      stdin: table,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('--column utm_source=utm_source');
    expect(await destinations('Unsaid')).toEqual(['https://example.com/']);
  });

  test('are encoded, before the fragment, and leave what the destination has', async () => {
    const table = [
      'name,destination,utm_source,Kanal,utm_campaign',
      'Utm 1,https://example.com/#top,Flyer & Co,print,Frühling 50%',
      'Utm 2,https://example.com/?a=1,x,y,',
      'Utm 3,https://example.com/?utm_source=own&utm%5Fcampaign=own#x,x,y,z',
      'Utm 4,example.com/menu?,,y,',
      'Utm 5,https://example.com/,,,',
    ].join('\n');
    const said = ['utm_source=utm_source', 'utm_medium=Kanal', 'utm_campaign=utm_campaign'];
    const options = said.flatMap((one) => ['--column', one]);
    const args = ['code', 'import', '-', '--account', email, ...options];
    const { exitCode, stdout } = await server.cli(args, { stdin: table });
    expect(exitCode).toBe(0);
    expect(await destinations('Utm')).toEqual([
      'https://example.com/?utm_source=Flyer%20%26%20Co&utm_medium=print&utm_campaign=Fr%C3%BChling%2050%25#top',
      'https://example.com/?a=1&utm_source=x&utm_medium=y',
      'https://example.com/?utm_source=own&utm%5Fcampaign=own&utm_medium=y#x',
      'https://example.com/menu?utm_medium=y',
      'https://example.com/',
    ]);
    expect(stdout).toContain('The address of row 4 has utm_source already, and keeps');
    expect(stdout).toContain('The address of row 4 has utm_campaign already, and keeps');
  });

  test('keep the rules of destinations', async () => {
    const long = `https://example.com/${'a'.repeat(2000)}`;
    const table = [
      'destination,utm_source',
      `${long},${'b'.repeat(100)}`,
      'menu.pdf,x',
      'https://example.com/lo…,x',
      'https://example.com/,#REF!',
    ].join('\n');
    const report = await load(table, email, '--column', 'utm_source=utm_source');
    expect(reasonsOf(report)).toEqual([
      [2, expect.stringContaining('2048')],
      [3, expect.stringContaining('menu.pdf')],
      [4, expect.stringContaining('…')],
      [5, expect.stringContaining('#REF!')],
    ]);
  });
});

describe('the page of columns', async () => {
  const csrf = await anna.csrf();
  const open = async (table: string, client = anna, token = csrf) => {
    const { to } = await client.post('/account/batches', { csrf: token, table });
    return to ?? '';
  };
  const choicesOf = (text: string, name: string) =>
    parsePage(text)
      .forms.flatMap(({ fields }) => fields)
      .find((one) => one.name === name)?.options;
  const send = async (path: string, changes: Record<string, string>) => {
    const form = parsePage((await anna.get(path)).text).forms.find((one) => one.action === path);
    return anna.post(path, { ...sentFields(form), ...changes });
  };
  const ended = async (path: string) => {
    await until(async () => !(await anna.get(path)).text.includes('Creating codes'));
    return (await anna.get(path)).text;
  };

  test('offers a domain only to those who have several', async () => {
    const table = 'Was,Link\nA,https://example.com/page\n';
    const path = await open(table);
    expect(choicesOf((await anna.get(path)).text, 'column-0')).toContain('domain');
    await server.cli(['domain', 'set', brand, '--account', email]);
    const of = await open(table, ben, await ben.csrf());
    expect(choicesOf((await ben.get(of)).text, 'column-0')).not.toContain('domain');
    await server.cli(['domain', 'set', brand, '--account', email, '--account', other]);
    expect(choicesOf((await ben.get(of)).text, 'column-0')).toContain('domain');
  });

  test('offers a parameter where the header names it, and puts it into the destination', async () => {
    const path = await open('Was,Link,utm_medium\nParameter,https://example.com/page,Print\n');
    expect(path).toEndWith('/columns');
    const { text } = await anna.get(path);
    expect(choicesOf(text, 'column-2')).toContain('utm_medium');
    expect(choicesOf(text, 'column-2')).not.toContain('utm_source');
    expect(choicesOf(text, 'column-0')).not.toContain('utm_medium');
    expect(fieldOf(text, 'column-2')?.value).toBe('');
    const chosen = { 'column-0': 'name', 'column-1': 'destination', 'column-2': 'utm_medium' };
    const { to } = await send(path, { ...chosen, do: 'go' });
    expect(to).toBe(path.replace('/columns', ''));
    expect(textOf((await anna.get(to ?? '')).text)).toContain('example.com/page?utm_medium=Print');
  });

  test('leads to rows whose domain is corrected where it is shown', async () => {
    const path = await open(
      `name,destination,domain\nPanel 1,https://example.com/1,${shop}\nPanel 2,https://example.com/2,shop\n`,
    );
    const { text } = await anna.get(path);
    expect(textOf(text)).toContain('1 ready1 to fix');
    expect(fieldOf(text, 'domain-3')).toMatchObject({ value: 'shop', isInvalid: true });
    expect(fieldOf(text, 'domain-3')?.descriptions.at(-1)).toContain('cannot use the domain shop.');
    const wrong = await send(path, { do: 'create', 'domain-3': 'go.shop' });
    expect(wrong.status).toBe(422);
    expect((await send(path, { do: 'create', 'domain-3': 'go.brand.example' })).to).toBe(path);
    expect(textOf(await ended(path))).toContain('2 codes created');
    expect(await prefixesOf('Panel')).toEqual([shop, brand]);
    const { text: list } = await anna.get('/account/codes.csv?q=Panel');
    expect(list.split('\r\n')[0]).toEndWith(',domain');
    expect(list).toContain(`,${shop}\r\n`);
  });
});
