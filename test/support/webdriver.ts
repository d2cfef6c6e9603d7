import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** How long a command may take. A page that hangs never answers. */
const commandMs = 60_000;
const waitMs = 100_000;

/** A session of WebKit, by the WebDriver protocol (W3C) of WebKitWebDriver. */
export interface WebKit extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Clicks the first visible element that a selector matches and that has a text, once there is one. */
  click(selector: string, text?: string): Promise<void>;
  /** Replaces the value of a field by keys. */
  type(selector: string, text: string): Promise<void>;
  press(key: string): Promise<void>;
  evaluate<T>(script: string): Promise<T>;
  /** Waits until the page has a text. */
  sees(text: string): Promise<void>;
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Returns the path of the browser of WebKitGTK that WebDriver starts, or null. */
function findMiniBrowser(): string | null {
  const libraries = '/usr/lib';
  for (const machine of existsSync(libraries) ? readdirSync(libraries) : []) {
    const path = join(libraries, machine, 'webkit2gtk-4.1/MiniBrowser');
    if (existsSync(path)) return path;
  }
  return null;
}

const miniBrowser = findMiniBrowser();

/** Whether to skip tests in WebKit: it is not installed, and this is no CI. */
export const withoutWebKit =
  (miniBrowser === null || Bun.which('WebKitWebDriver') === null || Bun.which('Xvfb') === null) &&
  process.env['CI'] !== 'true';
if (withoutWebKit) console.warn('No WebKitWebDriver with Xvfb: the tests in WebKit are skipped.');

/** Starts WebKit on a screen of its own. */
export async function openWebKit(dark: boolean): Promise<WebKit> {
  const screen = Bun.spawn(['Xvfb', '-displayfd', '1', '-screen', '0', '1300x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await firstLine(screen.stdout);
  const port = freePort();
  const driver = Bun.spawn(['WebKitWebDriver', `--port=${port}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
    // A group of its own, so that a page that hangs ends with it.
    detached: true,
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      ...(dark && { GTK_THEME: 'Adwaita:dark' }),
    },
  });
  const end = async () => {
    process.kill(-driver.pid, 'SIGKILL');
    screen.kill('SIGKILL');
    await Promise.all([driver.exited, screen.exited]);
  };
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(commandMs),
    });
    // The protocol wraps each answer in an object with a value.
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value).slice(0, 300)}`);
    return value;
  };
  const listens = () => send('GET', '/status').then(Boolean, () => false);
  await until(listens);
  const options = { binary: miniBrowser, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  // The answer of New Session names it.
  const { sessionId } = (await send('POST', '/session', { capabilities })) as { sessionId: string };
  const session = `/session/${sessionId}`;

  const evaluate = async <T>(script: string): Promise<T> =>
    // The caller says what its script returns.
    (await send('POST', `${session}/execute/sync`, { script, args: [] })) as T;
  const find = async (selector: string, text = ''): Promise<string> => {
    let found: Record<string, string> | null = null;
    const look = async () => {
      found =
        await evaluate(`return [...document.querySelectorAll(${JSON.stringify(selector)})].find(
        (one) => one.checkVisibility() && one.textContent.includes(${JSON.stringify(text)})) ?? null`);
      return found !== null;
    };
    await until(look, waitMs).catch(() => {
      throw new Error(`The page has no ${selector} with “${text}”.`);
    });
    return found?.[elementKey] ?? '';
  };
  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    click: async (selector, text) => {
      await send('POST', `${session}/element/${await find(selector, text)}/click`, {});
    },
    type: async (selector, text) => {
      const element = `${session}/element/${await find(selector)}`;
      await send('POST', `${element}/clear`, {});
      await send('POST', `${element}/value`, { text });
    },
    press: async (key) => {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: key }));
      await send('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] });
    },
    evaluate,
    sees: (text) =>
      until(
        () => evaluate(`return document.body.innerText.includes(${JSON.stringify(text)})`),
        waitMs,
      ).catch(async () => {
        const shown = await evaluate<string>('return document.body.innerText');
        throw new Error(`The page has no “${text}”: ${shown.slice(0, 1000)}`);
      }),
    [Symbol.asyncDispose]: end,
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}
