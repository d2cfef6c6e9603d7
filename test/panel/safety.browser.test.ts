import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { launch, openPage, withoutBrowser } from './browser.ts';
import { type PanelClient, signedIn } from './client.ts';
import { enter } from './enter.ts';

describe.skipIf(withoutBrowser)('safety in the panel', () => {
  let server: Server;
  let browser: Browser;
  let operator: Page;
  let complaints: readonly string[];
  let holder: PanelClient;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    const context = await browser.newContext();
    await enter(context, server, 'olga@example.org', ['--operator']);
    ({ page: operator, complaints } = await openPage(context));
    holder = await signedIn(server, 'hal@example.org');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const create = async (url: string) => {
    const answer = await holder.post('/account/codes', { csrf: await holder.csrf(), url });
    const code = /^\/account\/codes\/([0-9a-z]{8})\?/.exec(answer.to ?? '')?.[1] ?? '';
    return { answer, code, shortLink: `${server.origin}/${code}` };
  };
  const lookUp = async (text: string) => {
    await operator.goto(`${server.origin}/account/safety`);
    await operator.getByRole('searchbox').fill(text);
    await operator.getByRole('button', { name: 'Look up' }).click();
    await operator.waitForURL(/q=/);
  };
  const rule = async (address: string, button: 'Block it' | 'Allow it') => {
    await operator.goto(`${server.origin}/account/safety`);
    await operator.getByLabel('Domain or address').fill(address);
    await operator.getByLabel('Why').fill('reported by phone');
    await operator.getByRole('button', { name: button }).click();
  };

  test('an operator blocks the code of another, found by its short link, and lets it go', async () => {
    const { code, shortLink } = await create('https://example.org/reported');
    await lookUp(shortLink);
    const found = operator.locator('.fresh');
    expect(await found.textContent()).toContain('hal@example.org');
    expect(await found.textContent()).toContain('https://example.org/reported');
    await found.getByRole('button', { name: `Block ${code}` }).click();
    expect(await operator.getByRole('status').textContent()).toContain('The code is blocked.');
    expect((await visit(shortLink)).status).toBe(410);

    const seen = await holder.get(`/account/codes/${code}`);
    expect(seen.text).toContain('The operator has blocked this code');
    const csrf = await holder.csrf();
    await holder.post(`/account/codes/${code}/resume`, { csrf });
    expect((await visit(shortLink)).status).toBe(410);

    await operator.getByRole('button', { name: `Unblock ${code}` }).click();
    expect(await operator.getByRole('status').textContent()).toBe('The code is no longer blocked.');
    expect((await visit(shortLink)).status).toBe(302);
  }, 120_000);

  test('an operator blocks a domain, and takes that back', async () => {
    await rule('evil.example', 'Block it');
    expect(await operator.getByRole('status').textContent()).toContain('It counts from now on.');
    expect(await operator.textContent('main')).toContain('reported by phone');
    const refused = await create('https://www.evil.example/menu');
    expect(refused.answer.status).toBe(422);

    await lookUp('https://www.evil.example/menu');
    expect(await operator.textContent('.fresh h2')).toContain('would be refused');
    expect(await operator.textContent('.fresh')).toContain('blocked by your rules');

    await operator.getByRole('button', { name: 'Take back: evil.example' }).click();
    expect(await operator.getByRole('status').textContent()).toContain('The lists decide again.');
    expect((await create('https://www.evil.example/menu')).answer.status).toBe(303);
  }, 120_000);

  test('says that all codes are still to be looked at after a rule, until they have been', async () => {
    const label = 'Codes to look at again';
    const waiting = () => operator.locator('.facts div', { hasText: label }).textContent();
    // The server may look within the moment in which the page is opened.
    await until(async () => {
      await rule('pending.example', 'Block it');
      return (await waiting()) === `${label}all: the rules or lists have changed`;
    });
    await until(async () => {
      await operator.reload();
      return (await waiting()) === `${label}0`;
    });
  }, 120_000);

  test('an operator allows what a list flags', async () => {
    const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';
    expect((await create(unsafe)).answer.status).toBe(422);
    await rule(unsafe, 'Allow it');
    expect((await create(unsafe)).answer.status).toBe(303);
    await operator.getByRole('button', { name: /^Take back: testsafebrowsing/ }).click();
    await operator.waitForURL(/done=withdrawn/);
  }, 120_000);

  test('a code that is flagged later is shown to the operator and to its owner', async () => {
    const { code } = await create('https://later.example/');
    await rule('later.example', 'Block it');
    expect((await server.cli(['safety', 'recheck'])).exitCode).toBe(0);
    await operator.goto(`${server.origin}/account/safety`);
    const row = operator.locator('.rows li', { hasText: code });
    expect(await row.textContent()).toContain('flagged by your rules as “later.example”');
    const seen = await holder.get(`/account/codes/${code}`);
    expect(seen.text).toContain('The destination is flagged as dangerous');
    expect(seen.text).toContain('the operator of this server blocks “later.example”.');
    const warned = await fetch(`${server.origin}/${code}`, { redirect: 'manual' });
    expect(await warned.text()).toContain('The operator of this service has flagged this address');
  }, 120_000);

  test('says what is no address, and keeps what was typed', async () => {
    await rule('not an address', 'Block it');
    expect(await operator.textContent('#address-problem')).toContain('neither a domain nor a URL');
    expect(await operator.getByLabel('Domain or address').inputValue()).toBe('not an address');
    expect(await operator.getByLabel('Why').inputValue()).toBe('reported by phone');
    for (const [address, problem] of [
      ['com', 'alone stands for every address that ends in .com.'],
      ['127.0.0.1', 'is this server itself'],
    ] as const) {
      await rule(address, 'Block it');
      expect(await operator.textContent('#address-problem')).toContain(problem);
    }
    await lookUp('zzzzzzzz');
    expect(await operator.textContent('.empty')).toContain('There is no code “zzzzzzzz”.');
  }, 120_000);

  test('the browser has nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
