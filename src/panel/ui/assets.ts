import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import labelMedium from '@fontsource/ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-500-normal.woff2' with {
  type: 'file',
};
import labelBold from '@fontsource/ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-700-normal.woff2' with {
  type: 'file',
};
import labelMediumExt from '@fontsource/ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-ext-500-normal.woff2' with {
  type: 'file',
};
import labelBoldExt from '@fontsource/ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-ext-700-normal.woff2' with {
  type: 'file',
};
import latinExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2' with {
  type: 'file',
};
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with {
  type: 'file',
};
import { type Language, languages } from '../../languages/languages.ts';
import { languageOf } from '../../languages/negotiation.ts';
import { compiledSentencesOf } from '../../languages/texts.ts';
import { bundleScript } from '../../lib/build/bundle-script.macro.ts' with { type: 'macro' };
import { readEmbeddedText } from '../../lib/build/embedded.ts';
import { replaceSpans } from '../../lib/trim.ts';
import homeScreenIcon from '../style/home-screen-icon.png' with { type: 'file' };
import style from '../style/panel.css' with { type: 'file' };
import studioStyle from '../style/studio.css' with { type: 'file' };
import { iconSvg } from './icons.tsx';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Blob;
}

/** Names an asset by its content, so that browsers may cache it forever. */
function asset(name: string, type: string, content: string | Buffer<ArrayBuffer>): Asset {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12);
  const path = `/account/assets/${name.replace('.', `.${hash}.`)}`;
  return { path, type, content: new Blob([content]) };
}

const fontAsset = (name: string, path: string) => asset(name, 'font/woff2', readFileSync(path));

const fonts = {
  latin: fontAsset('inter.woff2', latin),
  latinExt: fontAsset('inter-ext.woff2', latinExt),
  labelMedium: fontAsset('label-medium.woff2', labelMedium),
  labelMediumExt: fontAsset('label-medium-ext.woff2', labelMediumExt),
  labelBold: fontAsset('label-bold.woff2', labelBold),
  labelBoldExt: fontAsset('label-bold-ext.woff2', labelBoldExt),
};

/** File names of fonts by their names in the style sheet. */
const fontPaths = new Map(
  Object.values(fonts).map(({ path }) => {
    const file = basename(path);
    return [file.split('.')[0], file];
  }),
);

/**
 * Replaces the names of fonts in the style sheet by those of their assets.
 * Comments and white space without meaning go. Bun's minifier makes it longer: it adds what older browsers need.
 */
function servedStyle(css: string): string {
  return replaceSpans(css, '/*', '*/', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(' !important', '!important')
    .replaceAll(/(?<![\d.])0\.(?=\d)/g, '.')
    .replaceAll(/#([\da-f])\1([\da-f])\2([\da-f])\3\b/g, '#$1$2$3')
    .replaceAll('transparent', '#0000')
    .replaceAll(/::(?=before|after)/g, ':')
    .replaceAll(';}', '}')
    .replaceAll(/url\(([\w-]+)\.woff2\)/g, (_, name) => `url(${fontPaths.get(name)})`);
}

const script = 'text/javascript; charset=utf-8';
const styleSheet = 'text/css; charset=utf-8';

/** All assets that the panel's pages load. */
export const assets = {
  ...fonts,
  style: asset('panel.css', styleSheet, servedStyle(readEmbeddedText(style))),
  studioStyle: asset('studio.css', styleSheet, servedStyle(readEmbeddedText(studioStyle))),
  icon: asset('icon.svg', 'image/svg+xml', iconSvg),
  homeScreenIcon: asset('icon.png', 'image/png', readFileSync(homeScreenIcon)),
} as const;

const bundles = {
  panel: { group: 'client', code: bundleScript('panel/client/main.ts') },
  preview: { group: 'preview', code: bundleScript('panel/client/preview.ts') },
} as const;

/** The script of all pages, and that of previews. */
type ScriptName = keyof typeof bundles;

const scripts = new Map<string, Asset>();

/** Returns a script in a language. It begins with its texts, so that a page loads one file for it. */
export function scriptIn(language: Language, name: ScriptName): Asset {
  return scripts.getOrInsertComputed(`${name} ${language}`, () => {
    const { locale, direction } = languages[language];
    const { group, code } = bundles[name];
    const sentences = { [group]: compiledSentencesOf(language)[group] };
    const texts = JSON.stringify({ locale, direction, sentences });
    const content = `globalThis.language=${texts};\n${code}`;
    return asset(`${name}-${language}.js`, script, content);
  });
}

const assetsByPath = new Map<string, Asset>(
  Object.values(assets).map((one) => [one.path, one] as const),
);

/** Returns the response with the asset at a path, or null. */
export function assetAt(path: string): Response | null {
  const found = assetsByPath.get(path) ?? scriptAt(path);
  if (found === null) return null;
  return new Response(found.content, {
    headers: { 'Content-Type': found.type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  });
}

/** Returns the script at a path, which names its language: only that one is read. */
function scriptAt(path: string): Asset | null {
  const named = /^\/account\/assets\/(panel|preview)-([A-Za-z-]{2,20})\.[0-9a-f]{12}\.js$/.exec(
    path,
  );
  const language = languageOf(named?.[2] ?? null);
  if (language === null) return null;
  const found = scriptIn(language, named?.[1] === 'panel' ? 'panel' : 'preview');
  return found.path === path ? found : null;
}
