import { type Command, Option } from 'commander';
import { closing } from '../../../compose/runtime.ts';
import { createStorage } from '../../../compose/storage.ts';
import type { StorageReader, StoredRedirect, StoredRedirects } from '../../../core/storage.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { writeFileAtomically } from '../../../lib/files/atomic-write.ts';
import { formatCount, formatNumber } from '../../../lib/numbers.ts';
import { rejectExisting } from '../../../sqlite/maintenance/overwrite-guard.ts';
import { noOwner, requireOwner } from '../../account/find-account.ts';
import {
  addCommand,
  type CommonFlags,
  configOf,
  lowerPriority,
  type Outcome,
  rejectOutput,
  toAction,
} from '../../command.ts';
import { parseDomain } from '../../domain-url.ts';
import { CommandError } from '../../errors/command-error.ts';
import { reportError } from '../../errors/report.ts';
import { writeToStdout } from '../../output.ts';
import { createProgress } from '../../progress.ts';
import { caddy } from './caddy.ts';
import { days } from './days.ts';
import { nginx } from './nginx.ts';
import { codesAsJson, csv, json } from './records.ts';
import type { Format } from './redirect-map.ts';
import { redirects } from './redirects-file.ts';

const formats = { nginx, caddy, redirects, csv, json, days } as const satisfies Record<
  string,
  Format
>;

type FormatName = keyof typeof formats;

interface ExportFlags extends CommonFlags {
  readonly format?: FormatName;
  readonly out?: string;
  readonly force?: true;
  readonly account?: string;
  readonly domain?: string;
}

// Lines are joined into chunks, since one write a line is slow.
const chunkCharacters = 64 * 1024;

/** Adds `waymark export`. */
export function addExportCommand(program: Command): void {
  const toFile = toAction(exportToFile);
  const command = addCommand(
    program,
    'export',
    'write all codes with their destinations for another server',
  )
    .addOption(
      new Option(
        '--format <format>',
        'a web server, or a table; json has the activity of each code too, and days the scans of each code by day of UTC, as CSV (default: csv)',
      ).choices(Object.keys(formats)),
    )
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option(
      '--account <email>',
      'codes of this account only; "nobody" for those of deleted accounts',
    )
    .option('--domain <url>', 'codes that were printed with this domain only')
    .hook('preAction', lowerPriority)
    .action((flags: ExportFlags) => {
      const { out = '-', json: isJson, format } = flags;
      if (out !== '-') return toFile.call(command, { ...flags, out });
      if (isJson && format !== undefined && format !== 'json')
        command.error(`error: --json prints JSON, not ${format}. Leave one out, or add --out.`);
      return exportToStdout(
        flags,
        isJson && format === undefined ? codesAsJson : formats[format ?? 'csv'],
      );
    });
}

async function exportToStdout(flags: ExportFlags, format: Format): Promise<void> {
  const stdout = Bun.stdout.writer();
  try {
    await writeToStdout(async () => {
      const { missing } = await exportCodes(flags, format, async (chunk) => {
        await stdout.write(chunk);
        await stdout.flush();
      });
      if (missing !== null) throw new CommandError(missing);
    });
  } catch (error) {
    reportError(error);
  }
}

async function exportToFile(flags: ExportFlags & { readonly out: string }): Promise<Outcome> {
  const { out, format = 'csv' } = flags;
  rejectOutput(configOf(flags), out);
  if (!flags.force) rejectExisting(out);
  using progress = createProgress('lines', null);
  let lines = 0;
  const { codes, active, missing } = await writeFileAtomically(out, (add) =>
    exportCodes(flags, formats[format], async (chunk) => {
      lines += chunk.split('\n').length - 1;
      progress.update(lines);
      add(chunk);
      // Reading never waits, so that a signal could not arrive.
      await yieldToEventLoop();
    }),
  );
  return {
    text:
      format === 'days'
        ? `Wrote ${out}: the scans of ${formatCount(codes, 'code')}, by day.`
        : `Wrote ${out}: ${formatCount(codes, 'code')}, of which ${formatNumber(active)} redirect and ${formatNumber(codes - active)} answer 410.`,
    json: { file: out, format, codes, active, gone: codes - active },
    failure: missing,
  };
}

/** Writes all codes in chunks and returns their counts. */
async function exportCodes(
  flags: ExportFlags,
  format: Format,
  write: (chunk: string) => Promise<void>,
): Promise<Pick<StoredRedirects, 'codes' | 'active' | 'missing'>> {
  const config = configOf(flags);
  const main = { frontUrl: config.rootUrl, notFoundUrl: config.notFoundUrl };
  await using reader = closing(await (await createStorage(config)).openForReading());
  const accountId = flags.account === undefined ? null : await findAccountId(reader, flags.account);
  const domain = flags.domain === undefined ? null : parseDomain(config, flags.domain);
  return await reader.withRedirects(async (all) => {
    const map = domain === null ? all : await ofDomain(all, domain);
    let chunk = '';
    for await (const line of format({ ...map, main })) {
      chunk += line;
      if (chunk.length < chunkCharacters) continue;
      await write(chunk);
      chunk = '';
    }
    await write(chunk);
    const { codes, active, missing } = map;
    return { codes, active, missing };
  }, accountId);
}

/** Returns the codes of a map that were printed with a domain. */
async function ofDomain(map: StoredRedirects, url: string): Promise<StoredRedirects> {
  const isPrinted = ({ shortLink }: StoredRedirect) => new URL(shortLink).origin === url;
  const redirects: StoredRedirects['redirects'] = async function* (options) {
    for await (const redirect of map.redirects(options)) if (isPrinted(redirect)) yield redirect;
  };
  let codes = 0;
  let active = 0;
  for await (const { status } of redirects()) {
    codes++;
    if (status === 'active') active++;
  }
  const domains = map.domains.filter((domain) => domain.url === url);
  return { ...map, prefixes: [url], domains, codes, active, redirects };
}

/** @throws CommandError when there is no such account */
async function findAccountId(reader: StorageReader, text: string): Promise<number> {
  const email = requireOwner(text);
  const id = await reader.accountId(email);
  if (id === null) throw noOwner(email);
  return id;
}
