import base from '../style/base.css' with { type: 'text' };
import code from '../style/code.css' with { type: 'text' };
import controls from '../style/controls.css' with { type: 'text' };
import design from '../style/design.css' with { type: 'text' };
import lists from '../style/lists.css' with { type: 'text' };
import page from '../style/page.css' with { type: 'text' };
import { bundleClient } from './bundle.macro.ts' with { type: 'macro' };
import { iconSvg } from './icons.tsx';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** Names an asset by its content, so that browsers may cache it forever. */
function asset(name: string, extension: string, type: string, text: string): Asset {
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/account/assets/${name}.${hash}.${extension}`, type, text };
}

// Later rules override earlier ones.
const style = [base, page, controls, lists, code, design].join('\n');

/** All assets that the panel's pages load. */
export const assets = {
  style: asset('panel', 'css', 'text/css; charset=utf-8', style),
  script: asset('panel', 'js', 'text/javascript; charset=utf-8', bundleClient()),
  icon: asset('icon', 'svg', 'image/svg+xml', iconSvg),
} as const;

/** Returns the response with the asset at a path, or null. */
export function assetAt(path: string): Response | null {
  const found = Object.values(assets).find((candidate) => candidate.path === path);
  if (found === undefined) return null;
  return new Response(found.text, {
    headers: { 'Content-Type': found.type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  });
}
