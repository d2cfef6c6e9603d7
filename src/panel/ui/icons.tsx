/** @jsxImportSource preact */
/** Returns a circle as the data of a path. */
function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

const globe = `${circle(8, 8, 6)}M2 8h12M8 2c-3.6 3.2-3.6 8.8 0 12M8 2c3.6 3.2 3.6 8.8 0 12`;

/** Path data of the icons, in a box of 16 by 16. */
const icons = {
  overview: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  codes: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5H11V11M13.5 9.5v4h-3',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  designs:
    'M8 2a6 6 0 1 0 0 12c1.5 0 1.5-1 1-1.8-.5-.9 0-1.7 1-1.7h1.5A2.5 2.5 0 0 0 14 8c0-3.3-2.7-6-6-6zM5 8h.01M6.5 5.2h.01M9.7 5.2h.01',
  key: `${circle(5, 11, 2.5)}M7 9l6-6M11 5l2 2M9.2 6.8l1.3 1.3`,
  docs: 'M3.5 2.5h6l3 3v8h-9zM6 8h4M6 10.5h4',
  accounts: `${circle(6, 5.5, 2.5)}M1.8 13.5c0-2.5 1.9-4 4.2-4s4.2 1.5 4.2 4M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 9.9c1.4.5 2.2 1.8 2.2 3.6`,
  domains: globe,
  language: globe,
  safety: 'M8 2 3 3.8V8c0 3 2 5 5 6 3-1 5-3 5-6V3.8z',
  keyboard: 'M1.5 4h13v8h-13zM4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.5h6',
  settings: `${circle(8, 8, 2)}M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4`,
  signOut: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  more: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  dots: `${circle(3.5, 8, 0.4)}${circle(8, 8, 0.4)}${circle(12.5, 8, 0.4)}`,
  plus: 'M8 3v10M3 8h10',
  tick: 'm3 8.5 3.5 3.5L13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  bad: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM8 5v3.5M8 11h.01',
  warn: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.7h.01',
  good: `${circle(8, 8, 6)}M5.5 8.2 7.3 10l3.4-3.8`,
  note: `${circle(8, 8, 6)}M5 8h6`,
  ask: `${circle(8, 8, 6)}M6.3 6.4a1.75 1.75 0 1 1 2.5 1.6c-.5.3-.8.6-.8 1.2M8 11.2h.01`,
  clock: `${circle(8, 8, 6)}M8 4.5V8l2.5 1.5`,
  search: `${circle(7, 7, 4.5)}M10.5 10.5l3 3`,
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  next: 'm6 3.5 4.5 4.5L6 12.5',
  back: 'm10 3.5-4.5 4.5 4.5 4.5',
  edit: 'm3 13 .6-2.6L11 3l2 2-7.4 7.4z',
  folder: 'M2 4.5V13h12V5.5H8L6.5 3.5H2z',
  pause: 'M5.5 3v10M10.5 3v10',
  compare: 'M3 13.5V9M6.3 13.5v-11M9.7 13.5V6M13 13.5v-3',
  repeat: 'M4.5 6.5v-3h7v5M2.5 5 4.5 3l2 2M11.5 9.5v3h-7v-5M13.5 11l-2 2-2-2',
  play: 'M5 3v10l8-5z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  open: 'M9 2.5h4.5V7M13.5 2.5l-6 6M6.5 3.5h-4v10h10v-4',
  remove: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  undo: 'M5.5 3l-3 3 3 3M2.5 6h7a4 4 0 0 1 0 8H7',
  archive: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 9h3',
} as const;
export type IconName = keyof typeof icons;

/** Icons of a way along the line, which are mirrored in a page from right to left. */
const ways: ReadonlySet<IconName> = new Set(['back', 'next', 'open', 'signOut', 'undo']);

/** Renders an icon beside a word. Screen readers leave it out. */
export function Icon({ name }: { name: IconName }) {
  // A page has thirty: as an element, the path takes a fifteenth of the frame of a page.
  const path = { __html: `<path d="${icons[name]}"/>` };
  const look = ways.has(name) ? 'icon way' : 'icon';
  return <svg class={look} viewBox="0 0 16 16" aria-hidden="true" dangerouslySetInnerHTML={path} />;
}

const ring = 'M12 2.4 21.6 12 12 21.6 2.4 12z';
const core = 'M12 8.5 15.5 12 12 15.5 8.5 12z';

/** Renders the logo of Waymark: a finder pattern turned by 45 degrees. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ring} />
      <path class="core" d={core} />
    </svg>
  );
}

/** The logo as the favicon. */
export const iconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="none" stroke="#1c7a58" stroke-width="2.6" stroke-linejoin="round" d="${ring}"/><path fill="#1c7a58" stroke="#1c7a58" stroke-linejoin="round" d="${core}"/></svg>`;
