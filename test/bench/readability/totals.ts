import { type CleanReading, readByThree } from './clean.ts';
import { errorOf, type Truth, truthOf } from './truth.ts';
import type { Finding } from './worker.ts';

export interface GateTotals {
  readonly accepted: number;
  /** Clear bad designs that the gate accepts. */
  readonly falseAccepts: number;
  /** Clear good designs that the gate refuses. */
  readonly falseRefusals: number;
}

/** Both gates held against what some judges say. */
export interface PanelTotals {
  readonly judges: readonly string[];
  readonly truth: Readonly<Record<Truth, number>>;
  readonly gate: GateTotals;
  readonly naive: GateTotals;
}

export interface Totals {
  readonly designs: number;
  /** All judges first, then zxing-cpp and ZBar with one more each: whom one asks decides what is good. */
  readonly panels: readonly PanelTotals[];
  /** Of the accepted designs, how many are read from every clean picture, and what fails. */
  readonly clean: {
    readonly readByThree: number;
    readonly readByAll: number;
    /** By `judge picture`. */
    readonly unread: Readonly<Record<string, number>>;
  };
  readonly advice: {
    readonly refused: number;
    readonly given: number;
    /** Of those followed: accepted by the gate, and what the judges make of them. */
    readonly followed: number;
    readonly accepted: number;
    readonly truth: Readonly<Record<Truth, number>>;
  };
  /** Milliseconds of one verdict, as a caller of the renderer sees it. */
  readonly gateMs: { readonly median: number; readonly p95: number };
}

export function totalsOf(findings: readonly Finding[]): Totals {
  const accepted = findings.filter(({ verdict }) => verdict.isReadable);
  const refused = findings.filter(({ verdict }) => !verdict.isReadable);
  const advised = refused.flatMap(({ advised }) => (advised === null ? [] : [advised]));
  const times = findings.map(({ gateMs }) => gateMs).sort((a, b) => a - b);
  return {
    designs: findings.length,
    panels: panelsOf(findings).map((judges) => panelTotals(findings, judges)),
    clean: {
      readByThree: accepted.filter(({ clean }) => readByThree(clean)).length,
      readByAll: accepted.filter(({ clean }) =>
        clean.every(({ unreadBy }) => unreadBy.length === 0),
      ).length,
      unread: counts(accepted.flatMap(({ clean }) => unreadNames(clean))),
    },
    advice: {
      refused: refused.length,
      given: refused.filter(({ verdict }) => verdict.advice !== null).length,
      followed: advised.length,
      accepted: advised.filter(({ verdict }) => verdict.isReadable).length,
      truth: truths(advised),
    },
    gateMs: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}

/** The judges of each panel; all of them alone where zxing-cpp or ZBar was not asked. */
function panelsOf(findings: readonly Finding[]): string[][] {
  const all = Object.keys(findings[0]?.shares ?? {});
  const pair = ['zxing', 'zbar'];
  if (!pair.every((judge) => all.includes(judge))) return [all];
  const thirds = all.filter((judge) => !pair.includes(judge));
  return [all, ...thirds.map((third) => [...pair, third])];
}

function panelTotals(findings: readonly Finding[], judges: readonly string[]): PanelTotals {
  const judged = findings.map((finding) => {
    const shares = judges.map((judge) => finding.shares[judge] ?? 0);
    return { ...finding, truth: truthOf(shares, finding.misleads) };
  });
  return {
    judges,
    truth: truths(judged),
    gate: gateTotals(judged, ({ verdict }) => verdict.isReadable),
    naive: gateTotals(judged, ({ naiveAccepts }) => naiveAccepts),
  };
}

function gateTotals(
  findings: readonly Finding[],
  accepts: (finding: Finding) => boolean,
): GateTotals {
  const errors = findings.map((finding) => errorOf(finding.truth, accepts(finding)));
  return {
    accepted: findings.filter(accepts).length,
    falseAccepts: errors.filter((error) => error === 'false-accept').length,
    falseRefusals: errors.filter((error) => error === 'false-refusal').length,
  };
}

function truths(examined: readonly { readonly truth: Truth }[]): Record<Truth, number> {
  const of = (wanted: Truth) => examined.filter(({ truth }) => truth === wanted).length;
  return {
    good: of('good'),
    bad: of('bad'),
    disputed: of('disputed'),
    unclear: of('unclear'),
  };
}

/** `judge picture` for each clean picture that a judge did not read. */
export function unreadNames(readings: readonly CleanReading[]): string[] {
  return readings.flatMap(({ picture, unreadBy }) =>
    unreadBy.map((judge) => `${judge} ${picture}`),
  );
}

export function counts(names: readonly string[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const name of names) tally[name] = (tally[name] ?? 0) + 1;
  return tally;
}

function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 100) / 100;
}
