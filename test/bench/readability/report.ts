import type { Design } from '../../../src/core/designs/design.ts';
import { readByThree } from './clean.ts';
import type { Shares } from './examine.ts';
import { counts, type GateTotals, type PanelTotals, type Totals, unreadNames } from './totals.ts';
import { errorOf } from './truth.ts';
import type { Finding } from './worker.ts';

/** The figures of one run, for people. */
export function totalsText(totals: Totals): string {
  const { panels, clean, advice } = totals;
  const accepted = panels[0]?.gate.accepted ?? 0;
  return [
    `designs ${totals.designs}`,
    ...panels.flatMap(panelLines),
    '',
    `clean pictures of the ${accepted} accepted: read by zxing, zbar and one more ${clean.readByThree}, by all judges ${clean.readByAll}`,
    ...lines(clean.unread, (name, count) => `  not read: ${name} ${count}`),
    `advice: ${advice.given} of ${advice.refused} refused; followed ${advice.followed}: ${advice.accepted} accepted; ${truthText(advice.truth)}`,
    `verdict: median ${totals.gateMs.median} ms, 95th percentile ${totals.gateMs.p95} ms`,
  ].join('\n');
}

function truthText(truth: PanelTotals['truth']): string {
  return Object.entries(truth)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function panelLines({ judges, truth, gate, naive }: PanelTotals): string[] {
  return [
    '',
    `as ${judges.join(', ')} have it: ${truthText(truth)}`,
    '              accepted   false accepts       false refusals',
    gateLine('this gate', gate, truth),
    gateLine('naive gate', naive, truth),
  ];
}

function gateLine(name: string, gate: GateTotals, truth: PanelTotals['truth']): string {
  const part = (count: number, whole: number) =>
    `${count} of ${whole} (${percent(count, whole)})`.padEnd(20);
  return [
    name.padEnd(14),
    `${gate.accepted}`.padStart(8),
    '   ',
    part(gate.falseAccepts, truth.bad),
    part(gate.falseRefusals, truth.good),
  ].join('');
}

/** Where the gate is wrong: by kind of design, then every case, the worst first. */
export function errorsText(findings: readonly Finding[], casesAtMost: number): string {
  const wrong = findings.flatMap((finding) => {
    const error = errorOf(finding.truth, finding.verdict.isReadable);
    return error === null ? [] : [{ error, finding }];
  });
  const unread = findings.filter(
    ({ truth, verdict, clean }) =>
      errorOf(truth, verdict.isReadable) === null && !readByThree(clean),
  );
  const byGroup = counts(
    wrong.flatMap(({ error, finding }) => finding.groups.map((group) => `${error}, ${group}`)),
  );
  const cases = wrong
    .map(({ error, finding }) => ({ error, finding, margin: marginOf(finding) }))
    .sort((a, b) => a.error.localeCompare(b.error) || b.margin - a.margin)
    .slice(0, casesAtMost);
  return [
    ...lines(byGroup, (name, count) => `  ${name}: ${count}`),
    ...cases.map(({ error, finding }) => `${error} ${caseText(finding)}`),
    ...unread.slice(0, casesAtMost).map((finding) => `unread-clean ${caseText(finding)}`),
  ].join('\n');
}

/** How far the judges are from even: the clearer the truth, the worse the error. */
function marginOf({ shares }: Finding): number {
  const all = Object.values(shares);
  return Math.abs(all.reduce((sum, share) => sum + share, 0) / all.length - 0.5);
}

function caseText(finding: Finding): string {
  const { seed, index, groups, link, design, shares, truth, verdict, clean } = finding;
  const unread = unreadNames(clean).join(', ');
  return [
    `--seed ${seed} --first ${index} --designs 1 (${groups.join(', ')})`,
    `${truth}: ${sharesText(shares)}; score ${verdict.score}, ${verdict.modules} modules${unread && `; clean, not read: ${unread}`}`,
    verdict.reasons.join(' '),
    link,
    designJson(design),
  ].join('\n    ');
}

/** A design as JSON, the logo named by its size instead of its bytes. */
function designJson({ logo, ...design }: Design): string {
  const named = logo === null ? null : `${logo.widthPx} × ${logo.heightPx}`;
  return JSON.stringify({ ...design, logo: named });
}

/** One line a group: what the judges read, and what the gates say. */
export function groupsText(findings: readonly Finding[]): string {
  const groups = [...new Set(findings.flatMap((finding) => finding.groups))];
  return groups
    .map((group) => {
      const members = findings.filter((finding) => finding.groups.includes(group));
      const accepted = members.filter(({ verdict }) => verdict.isReadable).length;
      const naive = members.filter(({ naiveAccepts }) => naiveAccepts).length;
      return `${group.padEnd(28)}${sharesText(meanShares(members))}   gate ${percent(accepted, members.length)}, naive ${percent(naive, members.length)}`;
    })
    .join('\n');
}

export function meanShares(findings: readonly Finding[]): Shares {
  const sums: Record<string, number> = {};
  for (const { shares } of findings) {
    for (const [name, share] of Object.entries(shares)) {
      sums[name] = (sums[name] ?? 0) + share / findings.length;
    }
  }
  return sums;
}

function sharesText(shares: Shares): string {
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${`${Math.round(share * 100)} %`.padStart(5)}`)
    .join('  ');
}

function lines(tally: Readonly<Record<string, number>>, line: (name: string, n: number) => string) {
  return Object.entries(tally)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => line(name, count));
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
