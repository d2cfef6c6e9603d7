import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { composeSafety } from '../../compose/safety.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { ThreatList } from '../../core/safety/threat-lists.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { FullExplanation } from '../../reputation/explain.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { serverLog } from '../serve/server.ts';
import { runSafety } from './deps.ts';
import { listName, onWire } from './output.ts';
import { sourceLine } from './sources.ts';

/** Adds `waymark safety check | status`: the verdict on a URL, and what URLs are checked against. */
export function addExplainCommands(safety: Command): void {
  safety
    .addCommand(
      subcommand('check <url>', 'explain the verdict on a URL').action(
        (url: string, flags: CommonFlags) =>
          runSafety(flags, async (stores, config) => {
            const check = composeSafety(config, stores, realClock, serverLog(config));
            const explanation = await check.explain(url);
            if (explanation.expressions.length === 0)
              throw new CommandError(
                `${JSON.stringify(url)} names no host, so there is nothing to check. Give a URL such as https://example.com/menu.`,
              );
            return { text: explanationText(explanation), json: explanationJson(explanation) };
          }),
      ),
    )
    .addCommand(
      subcommand('status', 'show lists, rules and sources').action((flags: CommonFlags) =>
        runSafety(flags, async ({ lists, rules, sources }) => {
          const { known, problem } = await lists.all().then(
            (all) => ({ known: all, problem: null }),
            (error: unknown) => ({ known: [], problem: errorMessage(error) }),
          );
          const all = await rules.all();
          const blocked = all.filter(({ decision }) => decision === 'block').length;
          const allowed = all.length - blocked;
          const listed = await sources.all();
          const text = [
            ...(known.length > 0 ? known.map(listLine) : ['No list is imported.']),
            `Rules of the operator: ${blocked} blocked, ${allowed} allowed.`,
            ...listed.map(sourceLine),
            ...(problem === null ? [] : [`PROBLEM: The lists can't be read: ${problem}`]),
          ].join('\n');
          return {
            text,
            json: onWire({
              lists: known.map(({ origin: _, ...list }) => ({ ...list, problem: null })),
              allowed,
              blocked,
              problem,
              sources: listed,
              // Empty, for scripts: rows of a database are not damaged one by one.
              damagedEntries: [],
              damagedSources: [],
            }),
          };
        }),
      ),
    );
}

function listLine({ source, entries, importedAtMs }: ThreatList): string {
  return `${source}  ${counted(entries, 'entry', 'entries')}, imported ${isoTimestamp(importedAtMs)}`;
}

function explanationText(explanation: FullExplanation): string {
  const { verdict, decidedBy, canonical, expressions, matches, provider } = explanation;
  return [
    `${verdict}${decidedBy === null ? '' : `, by ${listName(decidedBy)}`}`,
    `canonical form: ${canonical ?? 'none, it has no host'}`,
    ...matches.map(
      ({ decision, list, expression, sinceMs }) =>
        `${decision}: "${expression}" by ${listName(list)}${sinceMs === null ? '' : ` since ${isoTimestamp(sinceMs)}`}`,
    ),
    ...(provider === null ? [] : [`${provider.name}: ${providerText(provider)}`]),
    `looked up: ${expressions.join(', ')}`,
  ].join('\n');
}

function providerText({ failure, verdict }: NonNullable<FullExplanation['provider']>): string {
  return failure ?? (verdict?.unsafe ? 'unsafe' : 'clean');
}

/** The provider's verdict is named `opinion` on the wire, because `verdict` is the whole check's. */
function explanationJson({ provider, ...rest }: FullExplanation): unknown {
  const { name, verdict: opinion, failure } = provider ?? {};
  return onWire({ ...rest, provider: provider && { name, opinion, failure } });
}
