import { type Command, Option } from 'commander';
import { realClock, type Spawn } from '../compose.ts';
import { composeSafety, safetyFolder } from '../compose-safety.ts';
import { type Config, readConfig } from '../config.ts';
import { parseCode } from '../core/code.ts';
import { instant } from '../core/qr.ts';
import { makeRecheck } from '../core/recheck.ts';
import type { FormatOptions } from '../safety/detect-format.ts';
import type { Explanation } from '../safety/explain.ts';
import { listFormats } from '../safety/formats.ts';
import { type ImportReport, importList, removeList } from '../safety/import.ts';
import { allow, block, listEntries, remove } from '../safety/operator-entries.ts';
import type { SafetyCheck } from '../safety/reputation.ts';
import { addSource, listSources, removeSource } from '../safety/sources.ts';
import { updateSources } from '../safety/update.ts';
import {
  type CommonFlags,
  exitCodes,
  type Outcome,
  Refused,
  reporting,
  run,
  subcommand,
} from './command.ts';
import { serverLog } from './serve.ts';

interface FormatFlags extends CommonFlags {
  readonly format?: (typeof listFormats)[number];
  readonly column?: string;
}

// Codes that are read from the database at a time.
const sliceSize = 500;

/** `waymark safety …`: the lists that destinations are held against. They are files, no database. */
export function addSafetyCommands(program: Command, spawn: Spawn): void {
  const safety = program
    .command('safety')
    .description('safe browsing: the lists that destinations are held against');
  const entry = (verb: string, description: string) => subcommand(`${verb} <target>`, description);

  safety
    .addCommand(
      withFormat(subcommand('import <file>', 'import a list in place of its earlier import'))
        .requiredOption('--source <name>', 'what to call the list')
        .action((file: string, flags: FormatFlags & { source: string }) =>
          onFolder(flags, async (folder) => {
            const options = { ...formatOf(flags), nowMs: Date.now() };
            const report = await importList(folder, file, flags.source, options);
            return { text: imported(report), json: onWire(report) };
          }),
        ),
    )
    .addCommand(
      subcommand('check <url>', 'explain what the check says of a URL').action(
        (url: string, flags: CommonFlags) =>
          withCheck(flags, async (check) => {
            const explanation = await check.explain(url);
            return { text: explained(explanation), json: explanation };
          }),
      ),
    )
    .addCommand(
      subcommand('status', 'show lists, entries and sources').action((flags: CommonFlags) =>
        withCheck(flags, async (check, folder) => {
          await check.refresh();
          const { local, localProblem } = check.status();
          const { sources } = await listSources(folder);
          const lists = local.lists.map(
            ({ source, entries, importedAtMs, problem }) =>
              `${source}  ${entries} entries${importedAtMs === null ? '' : `, imported ${instant(importedAtMs)}`}${problem === null ? '' : `  PROBLEM: ${problem}`}`,
          );
          const fetched = sources.map(
            ({ name, url, lastUpdate }) =>
              `${name}  ${url}  ${lastUpdate === null ? 'never updated' : `${lastUpdate.outcome} ${instant(lastUpdate.checkedAtMs)}`}`,
          );
          return {
            text: [
              ...(lists.length > 0 ? lists : ['No list is imported.']),
              `Entries of the operator: ${local.blocked} blocked, ${local.allowed} allowed.`,
              ...fetched,
            ].join('\n'),
            json: { ...local, problem: localProblem, sources },
          };
        }),
      ),
    )
    .addCommand(
      subcommand('update', 'fetch the lists that have an address').action((flags: CommonFlags) =>
        onFolder(flags, async (folder) => {
          const results = await updateSources(folder, { fetch, nowMs: realClock.nowMs });
          const failed = results.filter(({ outcome }) => outcome === 'failed');
          if (failed.length > 0) process.exitCode = exitCodes.refused;
          const lines = results.map(
            ({ name, outcome, reason, report }) =>
              `${name}  ${outcome}${report === null ? '' : `  ${report.entries} entries`}${reason === null ? '' : `  ${reason}`}`,
          );
          return {
            text: lines.join('\n') || 'No list has an address; see "waymark safety source add".',
            json: results,
            ...(failed.length > 0 && {
              warning: 'the last good copy of what failed stays in use.',
            }),
          };
        }),
      ),
    )
    .addCommand(
      subcommand('recheck', 'look at the destinations of all codes again').action(
        (flags: CommonFlags) =>
          run(spawn, flags, async ({ flags: store }, config) => {
            const check = composeSafety(config, realClock, serverLog(config));
            const recheck = makeRecheck({ store, reputation: check, clock: realClock });
            const report = await recheck.all(sliceSize, async () => true);
            check.close();
            const { checked, flagged, found, cleared, partly } = report;
            const lines = flagged.map(
              ({ code, owner, destination, flag }) =>
                `${code}  ${owner}  ${destination}  on ${flag?.list} as "${flag?.expression}"`,
            );
            const sums = `Looked at ${checked}: ${flagged.length} flagged (${found} of them new), ${cleared} no longer, ${partly} only in part.`;
            return { text: [sums, ...lines].join('\n'), json: report };
          }),
      ),
    )
    .addCommand(
      entry('block', 'refuse a domain with all below it, or one URL').action(
        (target: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            const made = await block(folder, target, { nowMs: Date.now() });
            return { text: `Blocked ${made.expression}.`, json: made };
          }),
      ),
    )
    .addCommand(
      subcommand('block-code <code>', 'stop a code: its short link answers 410').action(
        (text: string, flags: CommonFlags) => setBlocked(spawn, text, flags, true),
      ),
    )
    .addCommand(
      subcommand('unblock-code <code>', 'let a blocked code redirect again').action(
        (text: string, flags: CommonFlags) => setBlocked(spawn, text, flags, false),
      ),
    )
    .addCommand(
      entry('allow', 'let through what a list flags').action((target: string, flags: CommonFlags) =>
        onFolder(flags, async (folder) => {
          const made = await allow(folder, target, { nowMs: Date.now() });
          return { text: `Allowed ${made.expression}.`, json: made };
        }),
      ),
    )
    .addCommand(
      entry('remove', 'take an allow or block entry back').action(
        (target: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await remove(folder, target))) throw new Refused(`There is no entry ${target}.`);
            return { text: `Removed the entry ${target}.`, json: { removed: target } };
          }),
      ),
    )
    .addCommand(
      subcommand('entries', 'list the allow and block entries').action((flags: CommonFlags) =>
        onFolder(flags, async (folder) => {
          const { entries } = await listEntries(folder);
          return {
            text: entries.map((one) => `${one.decision}  ${one.expression}`).join('\n'),
            json: entries,
          };
        }),
      ),
    )
    .addCommand(
      entry('forget', 'remove an imported list').action((source: string, flags: CommonFlags) =>
        onFolder(flags, async (folder) => {
          if (!(await removeList(folder, source))) throw new Refused(`There is no list ${source}.`);
          return { text: `Removed the list ${source}.`, json: { removed: source } };
        }),
      ),
    );
  addSourceCommands(safety);
}

function setBlocked(
  spawn: Spawn,
  text: string,
  flags: CommonFlags,
  blocked: boolean,
): Promise<void> {
  return run(spawn, flags, async (world) => {
    const code = parseCode(text);
    if (code === null || !(await world.flags.setBlocked(code, blocked)))
      throw new Refused(`There is no code ${text}.`);
    const status = blocked ? 'blocked' : 'no longer blocked';
    return { text: `${code} is ${status}.`, json: { code, blocked } };
  });
}

function addSourceCommands(safety: Command): void {
  safety
    .command('source')
    .description('the addresses that "safety update" fetches lists from')
    .addCommand(
      withFormat(subcommand('add <name> <url>', 'fetch a list from an https address')).action(
        (name: string, url: string, flags: FormatFlags) =>
          onFolder(flags, async (folder) => {
            const source = await addSource(folder, {
              ...formatOf(flags),
              name,
              url,
              nowMs: Date.now(),
            });
            return { text: `"safety update" fetches ${source.url}.`, json: source };
          }),
      ),
    )
    .addCommand(
      subcommand('remove <name>', 'fetch it no more; its list stays').action(
        (name: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await removeSource(folder, name)))
              throw new Refused(`There is no source ${name}.`);
            return { text: `Removed the source ${name}.`, json: { removed: name } };
          }),
      ),
    );
}

function withFormat(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'default: found out').choices(listFormats))
    .option('--column <column>', 'of a CSV file: its heading, or its place counted from 1');
}

function formatOf({ format, column }: FormatFlags): FormatOptions {
  const place = column !== undefined && /^\d+$/.test(column) ? Number(column) : column;
  return { ...(format && { format }), ...(place !== undefined && { column: place }) };
}

function settings(flags: CommonFlags): Config {
  return readConfig({ ...Bun.env, ...(flags.data && { WAYMARK_DATA: flags.data }) });
}

function onFolder(flags: CommonFlags, act: (folder: string) => Promise<Outcome>): Promise<void> {
  return reporting(flags, () => act(safetyFolder(settings(flags))));
}

function withCheck(
  flags: CommonFlags,
  act: (check: SafetyCheck, folder: string) => Promise<Outcome>,
): Promise<void> {
  return reporting(flags, async () => {
    const config = settings(flags);
    const check = composeSafety(config, realClock, serverLog(config));
    try {
      return await act(check, safetyFolder(config));
    } finally {
      check.close();
    }
  });
}

function imported({ source, entries, format, unreadable, replaced }: ImportReport): string {
  const bad = unreadable.first.map(({ line, text, why }) => `  line ${line}: ${why}: ${text}`);
  return [
    `Imported ${entries} entries as "${source}" (${format})${replaced === null ? '' : `, in place of ${replaced.entries} from ${instant(replaced.importedAtMs)}`}.`,
    ...(unreadable.count > 0 ? [`Lines that could not be read: ${unreadable.count}`, ...bad] : []),
  ].join('\n');
}

function onWire({ replaced, ...report }: ImportReport) {
  return {
    ...report,
    replaced: replaced && {
      entries: replaced.entries,
      imported_at: instant(replaced.importedAtMs),
    },
  };
}

function explained(explanation: Explanation): string {
  const { verdict, decidedBy, canonical, expressions, matches, provider } = explanation;
  return [
    `${verdict}${decidedBy === null ? '' : `, by ${decidedBy}`}`,
    `canonical form: ${canonical ?? 'none, it has no host'}`,
    ...matches.map(
      ({ decision, list, expression, sinceMs }) =>
        `${decision}: "${expression}" on ${list}${sinceMs === null ? '' : ` since ${instant(sinceMs)}`}`,
    ),
    ...(provider === null
      ? []
      : [
          `${provider.name}: ${provider.failure ?? (provider.opinion?.unsafe ? 'unsafe' : 'clean')}`,
        ]),
    `looked up: ${expressions.join(', ')}`,
  ].join('\n');
}
