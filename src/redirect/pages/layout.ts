import { type Language, languages } from './languages/language.ts';

/** Addresses that pages show and link to, without a trailing slash. */
export interface Addresses {
  readonly publicUrl: string;
  readonly shortUrl: string;
}

/** What a page of one response is made of. All texts are HTML. */
interface PageParts {
  readonly status: number;
  readonly language: Language;
  readonly title: string;
  /** What stands inside of `main`. */
  readonly body: string;
  readonly foot: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which styles it needs: those of a card when left out. */
  readonly kind?: keyof typeof styles;
  /** Whether the page has an inlined picture. */
  readonly hasPicture?: boolean;
}

// Colours, sizes and radii are tokens of the account panel. Media queries instead of `light-dark()`, since the phones
// of visitors are older than the computers of owners. Only logical properties: some languages run from right to left.
const style = `
:root{color-scheme:light dark;--paper:#f7f7f5;--card:#fff;--sunk:#f1f1ee;--ink:#161a17;--soft:#5b635d;--line:#e6e6e1;--edge:#858b86;--accent:#14684a;--on-accent:#fff;--warn:#7a4b00;--warn-tint:#fdf3dd;--bad:#a3231f;--bad-tint:#fdeceb;--bad-line:#d0645f;--on-bad:#fff;--shadow:0 1px 2px rgb(0 0 0/.05),0 8px 24px -12px rgb(0 0 0/.12)}
@media(prefers-color-scheme:dark){:root{--paper:#101211;--card:#181b19;--sunk:#212623;--ink:#f0f2f0;--soft:#a3ada6;--line:#2a2f2c;--edge:#78827c;--accent:#74d0a4;--on-accent:#0c2318;--warn:#f3cd7f;--warn-tint:#2f2716;--bad:#ffaaa4;--bad-tint:#371c1a;--bad-line:#b0605a;--on-bad:#3a0f0c;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;grid-template:1fr auto/minmax(0,1fr);justify-items:center;padding:1.75rem 1rem 1.25rem;background:var(--paper);color:var(--ink);font:400 1rem/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:26.25rem;display:grid;gap:1.25rem;align-content:center}
h1,p,figure{margin:0}
h1{font-size:1.5rem;line-height:1.34;font-weight:650;text-wrap:balance}
p{overflow-wrap:anywhere}
svg{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;flex:none}
.mark{color:var(--accent);stroke-width:2.4;stroke-linejoin:miter}
.host{display:flex;align-items:center;gap:.75rem;font-weight:600;padding-inline:2px;overflow-wrap:anywhere}
.card{display:grid;gap:1rem;padding:1.75rem;border:1px solid var(--line);border-radius:.875rem;background:var(--card);box-shadow:var(--shadow)}
.sign{width:3rem;height:3rem;border-radius:50%;display:grid;place-items:center;background:var(--sunk);color:var(--soft)}
.sign svg{stroke-width:1.4}
.warn .sign{background:var(--warn-tint);color:var(--warn)}
.alarm{border-color:var(--bad-line);background:var(--bad-tint)}
.alarm .sign{background:var(--bad);color:var(--on-bad)}
.alarm h1{color:var(--bad)}
.words{display:grid;gap:.25rem}
.soft{color:var(--soft)}.alarm .words .soft{color:var(--ink)}
.small{font-size:.8125rem;line-height:1.4}
.address{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:var(--soft);text-align:left;font:.9375rem/1.5 ui-monospace,"Cascadia Mono",Menlo,monospace}
.address b{color:var(--ink)}
.alarm .address{border-color:var(--bad-line)}
a{color:inherit;text-underline-offset:.18em}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.button{display:flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);text-decoration:none;font-weight:600;text-align:center;overflow-wrap:anywhere}
.primary{border-color:transparent;background:var(--accent);color:var(--on-accent)}
.row{display:flex;flex-wrap:wrap;gap:.5rem}
summary{cursor:pointer;padding-block:.25rem}
details .address{margin-top:.5rem}
footer{width:100%;max-width:26.25rem;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;padding:1.25rem 2px 0;color:var(--soft);font-size:.8125rem;overflow-wrap:anywhere}
.brand{display:flex;align-items:center;gap:.375rem;min-height:2.75rem;font-weight:550;text-decoration:none}
@media(max-width:47.5em){body{padding-top:1.25rem}main{align-content:start}.card{padding:1.25rem}}
`;

/** What only some pages have, so that a warning about a long address is short enough. */
const furtherStyles = {
  front: `
.front{max-width:53.75rem;gap:4.5rem;grid-template-columns:minmax(0,1fr) auto;align-items:center}
.front h1{font-size:2rem}
.front>div{display:grid;justify-items:start;gap:1.25rem;max-width:26.25rem}
.front+footer{max-width:53.75rem}
figure{display:grid;gap:.75rem;justify-items:center;max-width:20rem;text-align:center}
.plate{width:20rem;padding:.625rem;border-radius:1.25rem;background:#fff;box-shadow:0 0 0 1px var(--line),0 16px 40px -12px rgb(0 0 0/.3)}
.plate svg{display:block;width:100%;height:auto;stroke:none}
@media(max-width:47.5em){.front{align-content:center;grid-template-columns:minmax(0,1fr)}figure{display:none}}
`,
  paused: `
.host img,.tile{width:2.5rem;height:2.5rem;border-radius:.625rem;object-fit:contain}
.tile{display:grid;place-items:center;flex:none;border-radius:50%;background:var(--accent);color:var(--on-accent)}
.message{display:grid;gap:1rem;padding:1rem;border-radius:.625rem;background:var(--sunk)}
.message p{white-space:pre-line}
`,
} as const;

const styled = (css: string) => ({
  css,
  hash: Bun.CryptoHasher.hash('sha256', css, 'base64'),
});
const styles = {
  card: styled(style),
  front: styled(style + furtherStyles.front),
  paused: styled(style + furtherStyles.paused),
} as const;

/** Returns a page that is one response, without scripts or further requests. */
export function page(parts: PageParts): Response {
  const { status, language, title, body, foot, headers = {}, hasPicture = false } = parts;
  const { css, hash } = styles[parts.kind ?? 'card'];
  const { direction } = languages[language];
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${css}</style>
</head>
<body>
${body}
<footer>${foot}</footer>
</body>
</html>
`;
  const pictures = hasPicture ? ' img-src data:;' : '';
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      Vary: 'Accept-Language',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}';${pictures} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
  });
}

/** Returns Waymark's mark. */
export function mark(sizePx: number): string {
  return `<svg class="mark" width="${sizePx}" height="${sizePx}" viewBox="0 0 26 26" aria-hidden="true"><path d="M13 2 24 13 13 24 2 13Z"/><path d="m13 9 4 4-4 4-4-4z" fill="currentColor" stroke="none"/></svg>`;
}

const signs = {
  question:
    '<circle cx="8" cy="8" r="6"/><path d="M6.2 6.3c.2-1 .9-1.5 1.8-1.5 1 0 1.8.6 1.8 1.6 0 1.3-1.8 1.4-1.8 2.6M8 11.2h.01"/>',
  pause: '<path d="M5.5 3v10M10.5 3v10"/>',
  bar: '<circle cx="8" cy="8" r="6"/><path d="m3.8 3.8 8.4 8.4"/>',
  minus: '<circle cx="8" cy="8" r="6"/><path d="M5 8h6"/>',
  triangle: '<path d="M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.7h.01"/>',
  cloud:
    '<path d="M4.5 12.5a2.8 2.8 0 0 1-.3-5.6 4 4 0 0 1 7.7.8 2.4 2.4 0 0 1-.4 4.8zM8 7.5v2M8 11h.01"/>',
  outside: '<path d="M9 2.5h4.5V7M13.5 2.5l-6 6M6.5 3.5h-4v10h10v-4"/>',
} as const;

/** The icons of the pages. */
export type Sign = keyof typeof signs;

/** Returns an icon of a page. */
export function icon(sign: Sign, sizePx: number): string {
  return `<svg width="${sizePx}" height="${sizePx}" viewBox="0 0 16 16" aria-hidden="true">${signs[sign]}</svg>`;
}
