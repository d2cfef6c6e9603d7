import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { labelFields } from '../../core/codes/fields.ts';
import { type LinkFile, linkFileBounds } from '../../core/codes/imports/file.ts';
import type { InactiveReason } from '../../core/codes/imports/inactive.ts';
import type { LinkImportReport } from '../../core/codes/imports/link-imports.ts';
import { type LinkSource, linkSources } from '../../core/codes/imports/sources.ts';
import { columnNotices } from '../../core/codes/tables/text-file.ts';
import { ownWork } from '../../core/fair-queue.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { formatCount, formatNumber, plural } from '../../lib/numbers.ts';
import { noticeSentence } from '../../sentences/tables.ts';
import { findActiveAccount } from '../account/find-account.ts';
import { addCommand, commandOn, lowerPriority, type Outcome } from '../command.ts';
import { createProgress } from '../progress.ts';
import { cliSentence } from '../sentences/sentences.ts';
import { type CodeDeps, onCodes } from './command.ts';
import { askWhich, refusedText, sheetLine } from './import.ts';

interface LinkFlags {
  readonly account: string;
  readonly from?: LinkSource;
  readonly sheet?: string;
  readonly dryRun?: boolean;
  readonly onlyGood?: boolean;
  readonly folder?: string;
  readonly force?: boolean;
}

/** Adds `waymark link import`. */
export function addLinkCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const link = program.command('link').description('take over links that another service printed');
  addCommand(
    link,
    'import <file>',
    'import the export of another link service, so that its printed paths redirect here: CSV, JSON, .xlsx or .ods; "-" reads standard input',
  )
    .requiredOption('--account <email>', 'account of the links')
    .addOption(
      new Option('--from <service>', 'service of the export (default: detected)').choices(
        linkSources,
      ),
    )
    .option(
      '--sheet <name>',
      'sheet of a spreadsheet (default: the first, or the only one with addresses)',
    )
    .option('--dry-run', 'only check the links')
    .option('--only-good', 'leave out the links that have a problem')
    .option('--folder <folder>', 'folder of the links that name none')
    .option(
      '--force',
      'import also paths that programs ask every host for: robots.txt, favicon.ico, .well-known/ and the like',
    )
    .hook('preAction', lowerPriority)
    .action(onCodes(startRenderWorker, importLinks));
}

async function importLinks(
  { accounts, codes }: CodeDeps,
  path: string,
  {
    account: email,
    from,
    sheet,
    dryRun = false,
    onlyGood = false,
    folder,
    force = false,
  }: LinkFlags,
): Promise<Outcome> {
  const account = await findActiveAccount(accounts, email);
  const fallback = labelFields.folder.parse(folder ?? '') ?? '';
  const bytes = await readFileAtMost(path, linkFileBounds.maxBytes);
  const read = await codes.files.readLinks(bytes, { sheet, source: from }, ownWork).catch(askWhich);
  const links = read.links.map((link) => ({ ...link, folder: link.folder || fallback }));
  const file = { ...read, links };
  using progress = createProgress('links', file.links.length);
  const options = { isDryRun: dryRun, onlyGood, force, onProgress: progress.update };
  const report = await codes.linkImports.run(commandOn(account), file, options);
  return outcomeOf(path, file, report, onlyGood);
}

function outcomeOf(
  path: string,
  { source, ignoredColumns, notices, otherSheets = [], total }: LinkFile,
  { rows, addresses, created, refused, good, existing, paused, foreignHosts }: LinkImportReport,
  onlyGood: boolean,
): Outcome {
  const said = refused.map(({ row, reason }) => ({ row, reason: cliSentence(reason) }));
  const lines = [
    ...notices.map(noticeSentence),
    ...sheetLine(otherSheets),
    ...columnNotices(ignoredColumns).map(noticeSentence),
    ...said.map(({ row, reason }) => `Row ${row}: ${reason}`),
  ];
  const there = existing > 0 ? ` (${existing} there already)` : '';
  const links = `${formatCount(rows, 'link')} (${source})`;
  const printed = addresses > rows ? ` with ${formatCount(addresses, 'address', 'addresses')}` : '';
  const counts = `${links}${printed}, ${refused.length} refused${there}, ${created} created`;
  const isRefused = refused.length > 0 && (!onlyGood || good === 0);
  return {
    text: [...lines, `${path}: ${counts}.`],
    json: { rows, created, refused: said, ignored_columns: ignoredColumns, existing },
    change: created > 0 && { links: String(created) },
    warnings: [
      ...pausedWarnings(paused),
      total !== undefined &&
        `The file has ${formatCount(rows, 'link')} of ${formatNumber(total)}. Import the other pages of the answer too.`,
      foreignHosts.length > 0 && warningOf(foreignHosts),
    ],
    failure:
      isRefused &&
      (good === 0
        ? 'Every link has a problem. Nothing was created.'
        : refusedText(refused.length, formatCount(rows, 'link'))),
  };
}

const reasonTexts: Readonly<Record<InactiveReason, string>> = {
  archived: 'archived',
  banned: 'banned',
  deleted: 'deleted',
  disabled: 'disabled',
  expired: 'expired',
  'not started': 'not active yet',
  password: 'protected by a password',
  'used up': 'at their maximum of scans',
};

const maxNamedRows = 20;

/** Names the links that are imported paused, by the reason. */
function pausedWarnings(paused: LinkImportReport['paused']): string[] {
  return Array.from(
    Map.groupBy(paused, ({ reason }) => reason),
    ([reason, links]) => {
      const rows = [...new Set(links.map(({ row }) => row))];
      const more = rows.length - maxNamedRows;
      const rest = more > 0 ? ` and ${formatCount(more, 'other')}` : '';
      const noun = plural(rows.length, 'The link of row', 'The links of rows');
      return (
        `${noun} ${rows.slice(0, maxNamedRows).join(', ')}${rest} ${plural(rows.length, 'is', 'are')} ` +
        `${reasonTexts[reason]} there, and paused here: "waymark code resume" resumes a path.`
      );
    },
  );
}

const maxNamedHosts = 3;

function warningOf(hosts: readonly string[]): string {
  const named = hosts.slice(0, maxNamedHosts).join(', ');
  const rest = hosts.length > maxNamedHosts ? ' and others' : '';
  return (
    `Links were printed under ${named}${rest}, which this server is not set up for. They work by their paths as soon as ` +
    'the host points here. Add it to WAYMARK_SHORT_URL_ALIASES, so that the server knows it as its own.'
  );
}
