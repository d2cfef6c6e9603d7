import type { Command } from 'commander';
import { closing, realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { type Config, mainPrefixesOf } from '../../config.ts';
import type { DomainChange, StoredDomain } from '../../core/codes/ports.ts';
import { type Domain, listDomains } from '../../core/codes/urls/domains.ts';
import { unservedPrefixes } from '../../core/codes/urls/short-url.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { trimEndWhere } from '../../lib/trim.ts';
import { checkLink } from '../account/account.ts';
import { findAccount } from '../account/find-account.ts';
import { addCommand, type CommandDeps, type Outcome, onStores } from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { checkDomain } from './check-domain.ts';

interface DomainFlags {
  readonly account?: readonly string[];
  readonly front?: string;
  readonly notFound?: string;
}

/** Adds `waymark domain add | set | list | remove`. */
export function addDomainCommands(program: Command): void {
  const domain = program.command('domain').description('manage the domains in printed codes');
  const withSettings = (command: Command) =>
    command
      .option('--account <email...>', 'accounts that may use it; "all" for all accounts')
      .option('--front <url>', 'where / leads; "" is the front page of this server')
      .option('--not-found <url>', 'where unknown addresses lead; "" is a page that says so');
  withSettings(
    addCommand(domain, 'add <url>', 'add a domain for codes, beside the main one'),
  ).action(onStores(add));
  withSettings(
    addCommand(domain, 'set <url>', 'change who may use a domain, and its pages'),
  ).action(onStores(set));
  addCommand(
    domain,
    'list',
    'list the domains, with their codes, and whether each leads to this server',
  ).action(onStores(list));
  addCommand(domain, 'remove <url>', 'remove a domain')
    .option('--force', 'also if codes were printed with it')
    .action(onStores(remove));
}

/** A domain as it is shown. */
interface Row {
  readonly url: string;
  readonly accounts: readonly string[] | null;
  readonly codes: number;
  readonly reason: string | null;
}

function toJson({ url, accounts, codes, reason }: Row) {
  return { url, accounts, codes, reachable: reason === null, reason };
}

/** Reads the addresses in printed codes, with their number of codes. */
async function readPrinted(config: Config): Promise<Domain[]> {
  await using reader = closing(await (await createStorage(config)).openForReading());
  return await reader.withRedirects(listDomains);
}

async function list(deps: CommandDeps): Promise<Outcome> {
  const { config, domains } = deps;
  const printed = await readPrinted(config);
  const added = await domains.all();
  const others = [...added, ...printed].map(({ url }) => url);
  if (others.length === 0) return { text: 'No code was created yet.', json: [] };
  const urls = [...new Set([config.shortUrl.toLowerCase(), ...others])].sort();
  const rows = await Promise.all(
    urls.map(async (url): Promise<Row> => {
      const ofUrl = printed.find((one) => one.url === url);
      return {
        url,
        accounts: added.find((one) => one.url === url)?.accounts ?? null,
        codes: ofUrl?.codes ?? 0,
        reason: await checkDomain(domains, url, realClock.nowMs()),
      };
    }),
  );
  return {
    text: formatTable([
      ['DOMAIN', 'CODES', 'ACCOUNTS', 'LEADS HERE'],
      ...rows.map(({ url, codes, accounts, reason }) => [
        url,
        formatNumber(codes),
        usersText(accounts),
        reason === null ? 'yes' : `no: ${reason}`,
      ]),
    ]),
    json: rows.map(toJson),
  };
}

async function add(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = requireOther(config, text);
  if (!(await domains.add(url, await changeOf(deps, flags), realClock.nowMs())))
    throw new CommandError(`${url} is there already. "waymark domain set" changes it.`);
  return outcomeOf(deps, url, 'Added');
}

async function set(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = requireOther(config, text);
  const change = await changeOf(deps, flags);
  if (Object.keys(change).length === 0)
    throw new CommandError('Nothing to change. Give --account, --front or --not-found.');
  if (!(await domains.set(url, change))) throw noDomain(url);
  return outcomeOf(deps, url, 'Changed');
}

async function outcomeOf(
  { config, domains }: CommandDeps,
  url: string,
  verb: 'Added' | 'Changed',
): Promise<Outcome> {
  const { accounts = null } = (await domains.all()).find((one) => one.url === url) ?? {};
  const printed = (await readPrinted(config)).find((one) => one.url === url);
  const codes = printed?.codes ?? 0;
  const reason = await checkDomain(domains, url, realClock.nowMs());
  return {
    text: `${verb} ${url}, for ${usersText(accounts)}.`,
    json: toJson({ url, accounts, codes, reason }),
    warnings: [
      reason !== null &&
        `${url} does not lead to this server yet. ${reason} Point it here before you print codes.`,
    ],
    change: { url },
  };
}

function usersText(accounts: StoredDomain['accounts']): string {
  if (accounts === null) return 'all accounts';
  return accounts.length === 0 ? 'no account' : accounts.join(', ');
}

async function remove(
  { config, domains }: CommandDeps,
  text: string,
  { force }: { readonly force?: true },
): Promise<Outcome> {
  const url = addressOf(text);
  const printed = (await readPrinted(config)).find((one) => one.url === url);
  const isAdded = (await domains.all()).some((one) => one.url === url);
  if (printed === undefined && !isAdded) throw noDomain(url);
  requireUnset(config, url);
  const codes = printed?.codes ?? 0;
  if (codes > 0 && !force)
    throw new CommandError(
      `${formatCount(codes, 'code')} printed with ${url} would lead nowhere once it does not lead here. ` +
        'Nothing was changed. Add --force to remove it all the same.',
    );
  await domains.remove(url);
  return {
    text: [
      `Removed ${url}.`,
      codes > 0 &&
        `Its codes stay found under the other domains: ${formatNumber(codes)}. What was printed with ${url} leads nowhere once it does not lead here, its front page and its page for unknown addresses at once.`,
    ],
    json: { url, codes },
    change: { url },
  };
}

/**
 * Returns an address in its stored form: in ASCII and lower case, without a standard port and without a slash at the
 * end. The main domain may also have had addresses with a path.
 */
function addressOf(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const address = isWeb ? `${url.origin}${url.pathname}` : text.trim();
  return trimEndWhere(address, (unit) => unit === '/').toLowerCase();
}

/** @throws CommandError for an address of the settings, which the next start would bring back */
function requireUnset({ shortUrl, shortUrlAliases }: Config, url: string): void {
  if (unservedPrefixes([url], [shortUrl]).length === 0)
    throw new CommandError(`${url} is the main domain, which is a setting.`);
  if (unservedPrefixes([url], shortUrlAliases).length === 0)
    throw new CommandError(
      `${url} is in WAYMARK_SHORT_URL_ALIASES. Take it out there, and restart the server first.`,
    );
}

function noDomain(url: string): CommandError {
  return new CommandError(`There is no domain ${url}. "waymark domain list" shows them.`);
}

/** @throws CommandError for what is no domain, and for the main one */
function requireOther(config: Config, text: string): string {
  const url = parseDomain(config, text);
  const { host } = new URL(url);
  if (mainPrefixesOf(config).some((prefix) => new URL(prefix).host === host))
    throw new CommandError(`${url} is the main domain, or another name of it, which are settings.`);
  return url;
}

/** @throws ApiError for an address that is no destination */
async function changeOf(
  deps: CommandDeps,
  { account, front, notFound }: DomainFlags,
): Promise<DomainChange> {
  const isForAll = account?.includes('all') ?? false;
  const found = isForAll
    ? []
    : await Promise.all((account ?? []).map((email) => findAccount(deps.accounts, email)));
  return {
    ...(account !== undefined && { accountIds: isForAll ? null : found.map(({ id }) => id) }),
    ...(front !== undefined && { frontUrl: await checkLink(deps, front) }),
    ...(notFound !== undefined && { notFoundUrl: await checkLink(deps, notFound) }),
  };
}
