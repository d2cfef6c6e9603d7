import { servedPrefixesOf } from '../../config.ts';
import { formsAtAnyPrefix, formsInText } from '../../core/codes/urls/short-url.ts';
import { formatList } from '../../lib/numbers.ts';
import type { CommandDeps } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';

/**
 * Finds a code of any account by the code, its short link or its path.
 *
 * @throws CommandError when there is none
 */
export async function findCode(deps: CommandDeps, text: string) {
  const prefixes = servedPrefixesOf(deps.config);
  const found =
    (await findByForm(deps, formsInText(text, prefixes))) ?? (await findByPrintedLink(deps, text));
  if (found === null)
    throw new CommandError(
      `There is no code ${JSON.stringify(text)}.${await foreignText(deps, text, prefixes)}`,
    );
  return found;
}

/** Says that a link is not of this server; empty if it may be. */
async function foreignText(
  { domains }: CommandDeps,
  text: string,
  prefixes: readonly string[],
): Promise<string> {
  const urls = [...prefixes, ...(await domains.all()).map(({ url }) => url)];
  const hosts = [...new Set(urls.map((url) => new URL(url).host))];
  const host = /^\s*https?:/i.test(text) ? formsAtAnyPrefix(text)?.host : undefined;
  if (host === undefined || hosts.includes(host)) return '';
  return (
    ` ${host} is no address of this server: ${formatList(hosts)}. If codes were printed with it, add it ` +
    'with "waymark domain add".'
  );
}

async function findByForm({ accounts, flags, qrs }: CommandDeps, forms: readonly string[]) {
  const found = await Promise.all(forms.map(flags.find));
  const owner = found.find((code) => code !== null) ?? null;
  const account = owner && (await accounts.findByEmail(owner.owner));
  const qr = account && owner && (await qrs.find(account.id, owner.code));
  return account && qr && { account, qr };
}

/** Finds a code by its short link at an address that is not in the settings of the command. */
async function findByPrintedLink(deps: CommandDeps, text: string) {
  const link = formsAtAnyPrefix(text);
  const found = link && (await findByForm(deps, link.forms));
  return URL.parse(found?.qr.shortLink ?? '')?.host === link?.host ? found : null;
}

/** Finds a code, as {@link findCode} does. @throws CommandError when it can't be changed any more */
export async function findChangeable(stores: CommandDeps, text: string) {
  const found = await findCode(stores, text);
  if (found.qr.status === 'stopped')
    throw new CommandError(
      `${found.qr.code} was stopped for good when its account was deleted, or its address forgotten.`,
    );
  return found;
}
