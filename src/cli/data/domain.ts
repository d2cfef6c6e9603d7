import type { Command } from 'commander';
import { closing, realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import type { Config } from '../../config.ts';
import { type Domain, forgetDomain, listDomains } from '../../core/codes/urls/domains.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { trimEndWhere } from '../../lib/trim.ts';
import {
  addCommand,
  type CommandDeps,
  type CommonFlags,
  configOf,
  type Outcome,
  onStores,
  toAction,
} from '../command.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { createProgress } from '../progress.ts';
import { erasureSentence } from '../sentences/sentences.ts';

/** Adds `waymark domain list | forget`. */
export function addDomainCommands(program: Command): void {
  const domain = program.command('domain').description('manage the addresses in printed codes');
  addCommand(
    domain,
    'list',
    'list the addresses in printed codes, with their number of codes',
  ).action(toAction(async (flags: CommonFlags) => list(await readDomains(configOf(flags)))));
  addCommand(
    domain,
    'forget <url>',
    'stop and archive the codes of an address that phones cannot open, for good, so that the server starts without it',
  )
    .option('--yes', 'do it; without it, the command only says what that costs')
    .action(onStores(forget));
}

async function readDomains(config: Config): Promise<Domain[]> {
  await using reader = closing(await (await createStorage(config)).openForReading());
  return await reader.withRedirects(listDomains);
}

const reachTexts = {
  'this machine': 'phones cannot open it',
  'private network': 'phones in the local network can open it',
  anyone: 'phones can open it',
} as const satisfies Record<Domain['reach'], string>;

function list(domains: readonly Domain[]): Outcome {
  const rows = domains.map(({ url, codes, reach }) => [url, String(codes), reachTexts[reach]]);
  return {
    text:
      rows.length > 0
        ? formatTable([['ADDRESS', 'CODES', 'REACH'], ...rows])
        : 'No code was created yet.',
    json: domains.map(toJson),
  };
}

function toJson({ url, codes, reach }: Domain) {
  return { url, codes, reachable: reach !== 'this machine' };
}

async function forget(
  deps: CommandDeps,
  text: string,
  { yes }: { readonly yes?: true },
): Promise<Outcome> {
  const { shortUrl } = deps.config;
  const all = await readDomains(deps.config);
  const url = prefixOf(text);
  const domain = all.find((one) => one.url === url);
  if (domain === undefined)
    throw new CommandError(
      `No code was printed with ${url}. "waymark domain list" shows the addresses.`,
    );
  if (domain.reach !== 'this machine')
    throw new CommandError(
      `${reachTexts[domain.reach]}: printed codes with ${url} may be in use. If the address no longer leads to this server, name it in WAYMARK_SHORT_URL_ALIASES.`.replace(
        /^p/,
        'P',
      ),
    );
  const next = shortUrl.toLowerCase() === url ? '' : `, and get ${shortUrl}`;
  const kept = domain.links > 0 && `Imported links stay${next}: ${formatNumber(domain.links)}.`;
  if (!yes)
    return {
      text: [costText(domain), kept],
      json: toJson(domain),
      failure: 'Nothing was changed. Add --yes to do it.',
    };
  using progress = createProgress('codes', domain.codes || null);
  const codes = await forgetDomain(domain, all, shortUrl, {
    ...deps,
    clock: realClock,
    sleep: Bun.sleep,
    onProgress: progress.update,
  });
  return {
    text: [`Forgot ${url}, and stopped and archived ${formatCount(codes, 'code')}.`, kept],
    json: { ...toJson(domain), codes },
    change: { url, codes: String(codes) },
    failure: erasureSentence(await deps.eraseFreeSpace()),
  };
}

/**
 * Returns an address in its stored form.
 * It is in ASCII and lower case, without a standard port and without a slash at the end.
 */
function prefixOf(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const prefix = isWeb ? `${url.origin}${url.pathname}` : text.trim();
  return trimEndWhere(prefix, (unit) => unit === '/').toLowerCase();
}

function costText({ url, codes }: Domain): string {
  return codes === 1
    ? `1 code was created with ${url}. It is stopped and archived for good, and belongs to nobody.`
    : `${formatNumber(codes)} codes were created with ${url}. They are stopped and archived for good, and belong to nobody.`;
}
