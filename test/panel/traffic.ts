import type { Page } from 'playwright-core';
import type { Logo } from '../../src/core/designs/design.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { encodeRgbaPng } from '../../src/render/png/rgba.ts';
import { until } from '../support/until.ts';

/** What a page loads. */
export interface Traffic {
  readonly requests: number;
  /** Bodies and headers of requests. */
  readonly sentBytes: number;
  /** Bodies, as compressed on the way, and headers of responses. */
  readonly receivedBytes: number;
}

/** Counts what a page loads until `act` has ended and the network is quiet. */
export async function trafficOf(page: Page, act: () => Promise<unknown>): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  let [requests, sentBytes, receivedBytes] = [0, 0, 0];
  const open = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) return;
    requests++;
    open.add(requestId);
    for (const { bytes = '' } of request.postDataEntries ?? [])
      sentBytes += Buffer.from(bytes, 'base64').length;
  });
  session.on('Network.requestWillBeSentExtraInfo', ({ headers }) => {
    for (const [name, value] of Object.entries(headers))
      sentBytes += name.length + value.length + 4;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (open.delete(requestId)) receivedBytes += encodedDataLength;
  });
  session.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
  await session.send('Network.enable', { maxPostDataSize: 10_000_000 });
  await act();
  await page.waitForLoadState('networkidle');
  await until(() => page.evaluate(hasPictures));
  await until(async () => open.size === 0);
  await session.detach();
  return { requests, sentBytes, receivedBytes };
}

/** A logo whose PNG has about 290 kB: noise, which no format makes smaller. */
export async function heavyLogo(seed = 1): Promise<Logo> {
  const sidePx = 288;
  const rgba = new Uint8Array(sidePx ** 2 * 4);
  let state = seed;
  for (let at = 0; at < rgba.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rgba[at] = at % 4 === 3 ? 255 : state >>> 24;
  }
  return convertLogo(encodeRgbaPng({ widthPx: sidePx, heightPx: sidePx, rgba }));
}

/** Runs in the page: whether all pictures of the design form are loaded. */
function hasPictures(): boolean {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('.plate img, .advice img')];
  return pictures.every((picture) => picture.complete && picture.naturalWidth > 0);
}

/** Acts and waits until the preview of a design is another one. */
export async function redrawn(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await page.locator('.plate img').getAttribute('src');
  await act();
  await page.locator(`.plate img:not([src="${before}"])`).waitFor();
}
