import type { Design } from '../../../src/core/designs/design.ts';
import { readabilityText } from '../../../src/http/sentences/readability.ts';
import { isReadByThree, unreadNames } from './clean.ts';
import type { Shares } from './examine.ts';
import { errorOf, type Truth } from './truth.ts';
import type { Finding } from './worker.ts';

/** Returns the figures of a run: errors of both checks, and clean pictures. */
export function totalsText(findings: readonly Finding[]): string {
  const accepted = findings.filter(({ result }) => result.isReadable);
  const judges = Object.keys(findings[0]?.shares ?? {});
  const unread = accepted.flatMap(({ clean }) => unreadNames(clean));
  return [
    `${findings.length} designs, read by ${judges.join(', ')}: ${truthText(findings)}`,
    '              accepted   false accepts       false refusals',
    checkLine('this check', findings, ({ result }) => result.isReadable),
    checkLine('naive check', findings, ({ naiveAccepts }) => naiveAccepts),
    '',
    `clean pictures of the ${accepted.length} accepted: read by zxing, zbar and one more: ${accepted.filter(({ clean }) => isReadByThree(clean)).length}`,
    ...countLines(unread, (name, count) => `  not read: ${name} ${count}`),
  ].join('\n');
}

function truthText(examined: readonly Finding[]): string {
  const truths: readonly Truth[] = ['good', 'bad', 'disputed', 'unclear'];
  return truths
    .map((wanted) => `${examined.filter(({ truth }) => truth === wanted).length} ${wanted}`)
    .join(', ');
}

function checkLine(
  name: string,
  findings: readonly Finding[],
  accepts: (finding: Finding) => boolean,
): string {
  const errors = findings.map((finding) => errorOf(finding.truth, accepts(finding)));
  const part = (error: string, truth: Truth) => {
    const count = errors.filter((found) => found === error).length;
    const whole = findings.filter((finding) => finding.truth === truth).length;
    return `${count} of ${whole} (${percent(count, whole)})`.padEnd(20);
  };
  const accepted = findings.filter(accepts).length;
  return `${name.padEnd(14)}${`${accepted}`.padStart(8)}   ${part('false-accept', 'bad')}${part('false-refusal', 'good')}`;
}

/** Returns the designs about which the check is wrong, the worst first, and unread clean pictures. */
export function errorsText(findings: readonly Finding[], maxCases: number): string {
  const cases = findings
    .flatMap((finding) => {
      const error = errorOf(finding.truth, finding.result.isReadable);
      if (error !== null) return [{ error, finding, margin: marginOf(finding) }];
      return isReadByThree(finding.clean) ? [] : [{ error: 'unread-clean', finding, margin: 0 }];
    })
    .sort((a, b) => a.error.localeCompare(b.error) || b.margin - a.margin);
  return [
    ...countLines(
      cases.flatMap(({ error, finding }) => finding.groups.map((group) => `${error}, ${group}`)),
      (name, count) => `  ${name}: ${count}`,
    ),
    ...cases.slice(0, maxCases).map(({ error, finding }) => `${error} ${caseText(finding)}`),
  ].join('\n');
}

/** Returns how far the judges are from even: the clearer the truth, the worse the error. */
function marginOf({ shares }: Finding): number {
  const all = Object.values(shares);
  return Math.abs(all.reduce((sum, share) => sum + share, 0) / all.length - 0.5);
}

function caseText(finding: Finding): string {
  const { seed, index, groups, link, design, shares, truth, result, clean } = finding;
  const unread = unreadNames(clean).join(', ');
  return [
    `--seed ${seed} --first ${index} --designs 1 (${groups.join(', ')})`,
    `${truth}: ${sharesText(shares)}; score ${result.score}, ${result.modules} modules${unread && `; clean, not read: ${unread}`}`,
    readabilityText({ reasons: result.reasons, advice: null }),
    link,
    designJson(design),
  ].join('\n    ');
}

/** Returns a design as JSON, with the size of the logo in place of its bytes. */
function designJson({ logo, ...design }: Design): string {
  const named = logo === null ? null : `${logo.widthPx} × ${logo.heightPx}`;
  return JSON.stringify({ ...design, logo: named });
}

function sharesText(shares: Shares): string {
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${`${Math.round(share * 100)} %`.padStart(5)}`)
    .join('  ');
}

/** Counts equal names and returns one line for each, the most frequent first. */
function countLines(names: readonly string[], line: (name: string, count: number) => string) {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => line(name, count));
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
