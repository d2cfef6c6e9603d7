import type { Texts } from '../../languages/generated/texts.ts';

// The first that matches: most browsers also name those that they descend from.
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** In place of the name of a browser that is not in the list. */
const otherBrowser = 'Browser';

/**
 * Returns the names of browser and system of a `User-Agent` header, without versions: `Firefox on Linux`.
 * They are stored so. {@link sayDevice} says them to people.
 */
export function deviceOf(userAgent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? otherBrowser;
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Says the browser and system of a session in a language. @param device empty if they were not stored */
export function sayDevice(device: string, { sessions: t }: Texts): string {
  if (device === '') return t.unknownBrowser;
  const [browser = '', system] = device.split(' on ');
  if (browser !== otherBrowser)
    return system === undefined ? browser : t.browserOn({ browser, system });
  return system === undefined ? t.someBrowser : t.someBrowserOn({ system });
}
