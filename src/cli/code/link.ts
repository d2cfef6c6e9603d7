import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { labelFields } from '../../core/codes/fields.ts';
import { type LinkFile, linkFileBounds } from '../../core/codes/imports/link-file.ts';
import type { LinkImportReport } from '../../core/codes/imports/link-imports.ts';
import {
  type Difference,
  type InactiveReason,
  type LinkSource,
  linkSources,
} from '../../core/codes/imports/sources.ts';
import { columnNotices } from '../../core/codes/tables/text-file.ts';
import { Refused } from '../../core/errors.ts';
import { ownWork } from '../../core/fair-queue.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { formatCount, formatNumber, plural } from '../../lib/numbers.ts';
import { findActiveAccount } from '../account/find-account.ts';
import { addCommand, commandOn, lowerPriority, type Outcome } from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { createProgress } from '../progress.ts';
import { cliNotice, cliSentence } from '../sentences/sentences.ts';
import { type CodeDeps, onCodes } from './command.ts';
import { refusedText, sheetLine } from './import.ts';
import {
  type LinkAnswerFlags,
  linkAnswersOf,
  linkColumnOptions,
  linkColumnsQuestion,
} from './link-questions.ts';
import { answerOptions, lettersQuestion, sheetQuestion } from './questions.ts';

interface LinkFlags extends LinkAnswerFlags {
  readonly account: string;
  readonly from?: LinkSource;
  readonly dryRun?: boolean;
  readonly onlyGood?: boolean;
  readonly folder?: string;
  readonly domain?: string;
  readonly force?: boolean;
}

/** Adds `waymark link import`. */
export function addLinkCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const link = program.command('link').description('take over links that another service printed');
  const command = addCommand(
    link,
    'import <file>',
    'import the export of another link service, so that its printed paths redirect here: CSV, JSON, .xlsx or .ods; "-" reads standard input',
  )
    .requiredOption('--account <email>', 'account of the links')
    .addOption(
      new Option(
        '--from <service>',
        'service of the export (default: the one that writes exactly these fields)',
      ).choices(linkSources),
    )
    .option('--dry-run', 'only check the links')
    .option('--only-good', 'leave out the links that have a problem')
    .option('--folder <folder>', 'folder of the links that name none')
    .option('--domain <url>', 'domain of the links of which the file has the path alone')
    .option(
      '--force',
      'import also paths that programs ask every host for: robots.txt, favicon.ico, .well-known/ and the like',
    )
    .hook('preAction', lowerPriority)
    .action(onCodes(startRenderWorker, importLinks));
  for (const option of [...answerOptions(), ...linkColumnOptions()]) command.addOption(option);
}

async function importLinks(
  { accounts, codes, config }: CodeDeps,
  path: string,
  {
    account: email,
    from,
    dryRun = false,
    onlyGood = false,
    folder,
    domain,
    force = false,
    ...answers
  }: LinkFlags,
): Promise<Outcome> {
  const account = await findActiveAccount(accounts, email);
  const fallback = labelFields.folder.parse(folder ?? '') ?? '';
  const bytes = await readFileAtMost(path, linkFileBounds.maxBytes);
  const read = await codes.files
    .readLinks(bytes, { ...linkAnswersOf(answers), source: from }, ownWork)
    .catch((error: unknown) => askAbout(path, error, email, answers));
  const links = read.links.map((link) => ({ ...link, folder: link.folder || fallback }));
  const file = { ...read, links };
  using progress = createProgress('links', file.links.length);
  const options = {
    ...{ isDryRun: dryRun, onlyGood, force, onProgress: progress.update },
    domain: domain === undefined ? undefined : parseDomain(config, domain),
  };
  const report = await codes.linkImports.run(commandOn(account), file, options);
  return outcomeOf(path, file, report, onlyGood);
}

/** @throws CommandError that asks what the file does not say plainly; else the error */
function askAbout(path: string, error: unknown, email: string, answers: LinkAnswerFlags): never {
  const refused = error instanceof Refused ? error.reason : null;
  // What was recognized in the file, such as its sheet, comes with the reason.
  const reason = refused?.kind === 'file refused' ? refused.reason : refused;
  if (reason?.kind === 'several sheets') throw sheetQuestion(path, reason.sheets);
  if (reason?.kind === 'letters not known') throw lettersQuestion(path, reason.readings);
  if (reason?.kind === 'columns of links not known')
    throw linkColumnsQuestion(path, email, reason, answers);
  throw error;
}

function outcomeOf(
  path: string,
  { source, ignoredColumns, notices, otherSheets = [], total, more }: LinkFile,
  {
    rows,
    addresses,
    created,
    refused,
    good,
    existing,
    paused,
    differing,
    foreignHosts,
  }: LinkImportReport,
  onlyGood: boolean,
): Outcome {
  const said = refused.map(({ row, reason }) => ({ row, reason: cliSentence(reason) }));
  const lines = [
    ...notices.map(cliNotice),
    ...sheetLine(otherSheets),
    // What is lost of a link has to be known.
    ...columnNotices(ignoredColumns, ignoredColumns.length).map(cliNotice),
    ...said.map(({ row, reason }) => `Row ${row}: ${reason}`),
  ];
  const there = existing > 0 ? ` (${formatNumber(existing)} there already)` : '';
  const links = `${formatCount(rows, 'link')} (${source})`;
  const printed = addresses > rows ? ` with ${formatCount(addresses, 'address', 'addresses')}` : '';
  const counts = `${links}${printed}, ${formatNumber(refused.length)} refused${there}, ${formatNumber(created)} created`;
  const isRefused = refused.length > 0 && (!onlyGood || good === 0);
  return {
    text: [...lines, `${path}: ${counts}.`],
    json: { rows, created, refused: said, ignored_columns: ignoredColumns, existing },
    change: created > 0 && { links: String(created) },
    warnings: [
      ...pausedWarnings(paused),
      ...differenceWarnings(differing),
      total !== undefined &&
        `The file has ${formatCount(rows, 'link')} of ${formatNumber(total)}. Import the other pages of the answer too.`,
      total === undefined && more !== undefined && moreTexts[more],
      foreignHosts.length > 0 && warningOf(foreignHosts),
    ],
    failure:
      isRefused &&
      (good === 0
        ? 'Every link has a problem. Nothing was created.'
        : refusedText(refused.length, formatCount(rows, 'link'))),
  };
}

const moreTexts = {
  said: 'The file says that it is one page of several. Import the other pages of the answer too.',
  likely:
    'The file has as many links as a page of an answer. If there are more, import the other pages too.',
} as const;

const reasonTexts: Readonly<Record<InactiveReason, string>> = {
  archived: 'archived',
  banned: 'banned',
  deleted: 'deleted',
  disabled: 'disabled',
  expired: 'expired',
  'not said to be active': 'not said to be active',
  'not started': 'not active yet',
  password: 'protected by a password',
  unknown: 'in a state or with an end that cannot be read',
  'used up': 'at the maximum of scans',
};

const maxNamedRows = 20;

/** Names the rows of links, each once, and what they do: `The links of rows 2, 3 are`. */
function nameRows(
  links: readonly { readonly row: number }[],
  verb: { readonly one: string; readonly many: string },
): string {
  const rows = [...new Set(links.map(({ row }) => row))];
  const more = rows.length - maxNamedRows;
  const rest = more > 0 ? ` and ${formatCount(more, 'other')}` : '';
  const noun = plural(rows.length, 'The link of row', 'The links of rows');
  return `${noun} ${rows.slice(0, maxNamedRows).join(', ')}${rest} ${plural(rows.length, verb.one, verb.many)}`;
}

/** Names the links that are imported paused, by the reason. */
function pausedWarnings(paused: LinkImportReport['paused']): string[] {
  return Array.from(
    Map.groupBy(paused, ({ reason }) => reason),
    ([reason, links]) =>
      `${nameRows(links, { one: 'is', many: 'are' })} ${reasonTexts[reason]} there, and paused here: "waymark code resume" resumes a path.`,
  );
}

const differenceTexts: Readonly<Record<Difference, string>> = {
  targeted:
    'other destinations by device, country or another rule, or a frame around the page. Here all visitors get to one destination.',
  parameters: 'utm parameters that the other service adds. Add them to the destination.',
  ends: 'an end at a time or a number of scans. "waymark code plan" can pause a path at a time.',
};

/** Names the links that do more at the other service, by what an imported link loses. */
function differenceWarnings(differing: LinkImportReport['differing']): string[] {
  return Array.from(
    Map.groupBy(differing, ({ difference }) => difference),
    ([difference, links]) =>
      `${nameRows(links, { one: 'loses', many: 'lose' })} ${differenceTexts[difference]}`,
  );
}

const maxNamedHosts = 3;

function warningOf(hosts: readonly string[]): string {
  const named = hosts.slice(0, maxNamedHosts).join(', ');
  const rest = hosts.length > maxNamedHosts ? ' and others' : '';
  return (
    `Links were printed under ${named}${rest}, which this server is not set up for. They work by their paths as soon as ` +
    'the host points here. Add it with "waymark domain add", so that the server knows it as its own.'
  );
}
