import { version } from '../../../lib/build/version.ts';
import { readCompressedLicenses } from './read.macro.ts' with { type: 'macro' };
import type { Licenses, Part } from './read.macro.ts';

/** The licences, read at build time. Some hundred kilobytes: import this file on demand only. */
export const licenses: Licenses = JSON.parse(
  new TextDecoder().decode(Bun.gunzipSync(Buffer.from(readCompressedLicenses(), 'base64'))),
);

/** Formats all licences, each text once. */
export function formatLicenses({ own, parts }: Licenses): string {
  const width = Math.max(...parts.map((part) => titleOf(part).length));
  const list = parts.map(
    (part) => `  ${titleOf(part).padEnd(width)}  ${part.license.padEnd(12)}  ${part.source}`,
  );
  return [
    `Waymark ${version}\n\n${own}`,
    `Waymark contains these parts. Their source code is at the addresses:\n\n${list.join('\n')}`,
    ...[...namesByText(parts)].map(([text, names]) => `${names.join(', ')}\n\n${text}`),
  ].join(`\n\n${'='.repeat(80)}\n\n`);
}

function titleOf({ name, version }: Part): string {
  return `${name} ${version}`;
}

/** Groups parts by licence text, since many have the same. */
function namesByText(parts: readonly Part[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const part of parts)
    for (const text of part.texts) names.set(text, [...(names.get(text) ?? []), part.name]);
  return names;
}
