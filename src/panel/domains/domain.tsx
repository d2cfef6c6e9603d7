/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { ListedAccount } from '../../core/accounts/account.ts';
import { withScheme } from '../../core/codes/urls/typed-address.ts';
import type { DomainProblem } from '../../core/domains/checks.ts';
import type { ListedDomain } from '../../core/domains/domains.ts';
import type { Actor } from '../../core/ports.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import { domainProblemSentence } from '../../sentences/domains.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { Copyable, PageHead, RelativeTime } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { choiceField, emailField, textField, trimmed, verbatim } from '../ui/fields.tsx';
import { type Field, FormView, invalidField } from '../ui/form.tsx';
import { Group, Groups } from '../ui/groups.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Link, PostButton, Submit, useTexts } from '../ui/page-context.tsx';
import { DomainState, domainName } from './domain-state.tsx';

/** Returns the path of the page of a domain. */
export function domainPath(url: string): string {
  return `/account/domains/${encodeURIComponent(new URL(url).host)}`;
}

/** Returns who changes a domain. */
export function operatorOf({ session }: PersonContext): Actor {
  return { kind: 'operator', accountId: session.person.id };
}

/** While it is checked, or its codes are counted. */
const reloadSeconds = 5;
/** Accounts that can be ticked, beside those that may use the domain already. Others are typed. */
const maxOffered = 50;
const needsConfirmation = true;

const users = [
  {
    value: 'all',
    title: (t: Texts) => t.domains.allAccounts,
    text: (t: Texts) => t.domain.futureToo,
  },
  {
    value: 'named',
    title: (t: Texts) => t.domain.onlyThese,
    text: (t: Texts) => t.domain.tickedAccounts,
  },
] as const;

type OfferedAccount = Pick<ListedAccount, 'id' | 'email'>;

interface Offer {
  /** Accounts to tick. */
  readonly offered: readonly OfferedAccount[];
  /** Whether there are others, one of which can be typed. */
  readonly hasMore: boolean;
}

/** Creates the form of who may use a domain. @param ticked ids of accounts */
function usersForm({ offered, hasMore }: Offer, ticked: readonly number[]) {
  return {
    users: choiceField({
      label: (t) => t.domains.whoMayPrint,
      choices: users,
      parse: (text) => {
        const chosen = users.find(({ value }) => value === text);
        if (chosen === undefined) throw new InvalidInput((t) => t.domains.chooseWhoMayPrint);
        return chosen.value;
      },
    }),
    named: {
      read: (typed, name) => typed.all(name).map(Number),
      draw: ({ name }) => (
        <fieldset class="stack tight">
          <legend class="hidden">{useTexts().domain.accounts}</legend>
          {offered.map(({ id, email }) => (
            <label key={id} class="check">
              <input
                class="box"
                type="checkbox"
                name={name}
                value={id}
                checked={ticked.includes(id)}
              />
              <bdi>{email}</bdi>
            </label>
          ))}
        </fieldset>
      ),
    } satisfies Field<number[]>,
    ...(hasMore && {
      other: emailField({
        label: (t) => t.domain.otherEmail,
        isOptional: true,
        parse: (text) => text.trim().toLowerCase(),
        required: false,
        autocomplete: 'off',
      }),
    }),
  };
}

/** Creates the routes with which operators manage one domain. */
export function domainRoutes({
  domains,
  accounts: store,
  qrs,
}: Pick<PanelDeps, 'domains' | 'accounts' | 'qrs'>): Route[] {
  const find = async ({ params: { domain: host = '' } }: PersonContext): Promise<ListedDomain> => {
    const found = (await domains.list()).find(({ url }) => new URL(url).host === host);
    if (found === undefined) throw pageNotFound();
    return found;
  };
  const findOther = async (context: PersonContext): Promise<ListedDomain> => {
    const domain = await find(context);
    if (domain.isMain) throw pageNotFound();
    return domain;
  };
  /** Returns the accounts that can be ticked, those that may use the domain first, and whether there are others. */
  const offeredFor = async ({ accounts }: ListedDomain): Promise<Offer> => {
    const { accounts: first, total } = await store.search('', maxOffered);
    const named = await Promise.all((accounts ?? []).map(store.findByEmail));
    const own = named.filter((account) => account !== null);
    const rest = first.filter(({ id }) => own.every((one) => one.id !== id));
    return { offered: [...own, ...rest], hasMore: total > first.length };
  };
  const formOfUsers = async (context: PersonContext) =>
    usersForm(await offeredFor(await findOther(context)), []);
  /** Creates a link that is checked like a destination. */
  const linkField = (label: Said, hint: Said, placeholder: string): Field<string | null> => ({
    ...textField({ label, hint, placeholder, parse: trimmed, inputMode: 'url', ...verbatim }),
    read: async (typed, name) => {
      const url = withScheme(typed.text(name));
      return url === '' ? null : (await qrs.checkDestination(url)).destination;
    },
  });
  const visitorsForm = {
    frontUrl: linkField(
      (t) => t.domain.frontPage,
      (t) => t.domain.frontPageHint,
      'https://example.com',
    ),
    notFoundUrl: linkField(
      (t) => t.domain.unknownCodes,
      (t) => t.domain.unknownCodesHint,
      'https://example.com/lost',
    ),
  };

  const show = async (context: PersonContext) => {
    const domain = await find(context);
    const { url, isMain, codes, check } = domain;
    const path = domainPath(url);
    const name = domainName(url);
    const offer = await offeredFor(domain);
    const stored = offer.offered.filter(({ email }) => domain.accounts?.includes(email));
    const { rejected } = context;
    const ticked =
      rejected?.action === `${path}/accounts`
        ? rejected.typed.all('named').map(Number)
        : stored.map(({ id }) => id);
    const { texts } = context;
    const { domain: t } = texts;
    const shown = page(
      context,
      name,
      <>
        <Crumb above={[['/account/domains', texts.pages.domains]]}>{name}</Crumb>
        <PageHead
          title={<bdi>{name}</bdi>}
          beside={
            <>
              <DomainState check={check} />
              {isMain && <span class="pill plain">{texts.domains.mainAddress}</span>}
            </>
          }
        >
          <PostButton to={`${path}/check`} class="button">
            {t.checkAgain}
          </PostButton>
        </PageHead>
        <Groups>
          <Group
            title={t.doesItLeadHere}
            text={
              check === null
                ? t.notCheckedYet
                : t.whatWasFound({ when: <RelativeTime ms={check.atMs} /> })
            }
          >
            <Findings domain={domain} mainUrl={context.shortUrl} />
          </Group>
          {isMain ? (
            <Group title={t.settings} text={t.cannotBeChanged}>
              <div class="pad">
                <p>{t.isMain}</p>
              </div>
            </Group>
          ) : (
            <>
              <Group title={t.accounts} text={t.whoPrints}>
                <FormView
                  form={usersForm(offer, ticked)}
                  values={{ users: domain.accounts === null ? 'all' : 'named' }}
                  to={`${path}/accounts`}
                  class="pad stack tight"
                >
                  <Submit class="button">{t.saveAccounts}</Submit>
                </FormView>
              </Group>
              <Group title={t.visitors} text={t.whereVisitorsGo}>
                <FormView
                  form={visitorsForm}
                  values={{
                    frontUrl: domain.frontUrl ?? '',
                    notFoundUrl: domain.notFoundUrl ?? '',
                  }}
                  to={`${path}/visitors`}
                  class="pad stack tight"
                >
                  <Submit>{texts.common.save}</Submit>
                </FormView>
              </Group>
              <Group title={t.remove} text={t.nothingPrinted}>
                <div class="pad stack tight">
                  <p>{costText(codes, name, texts)}</p>
                  <div class="row">
                    {codes !== 0 && (domain.accounts === null || domain.accounts.length > 0) && (
                      <PostButton
                        to={`${path}/accounts`}
                        values={{ users: 'named' }}
                        class="button"
                      >
                        {t.doNotOffer}
                      </PostButton>
                    )}
                    <Link class="button danger" to={`${path}/remove`} data-dialog icon="remove">
                      {t.removeMenu}
                    </Link>
                  </div>
                </div>
              </Group>
            </>
          )}
        </Groups>
      </>,
    );
    return codes === null || check === null ? reloading(shown, reloadSeconds) : shown;
  };

  const removeForm = ({ url, codes }: ListedDomain): { readonly confirmed?: Field<boolean> } => {
    const name = domainName(url);
    if (codes === 0) return {};
    return {
      confirmed: textField({
        label: (t) => t.domain.typeIt({ domain: name }),
        parse: (text) => {
          if (text.trim().toLowerCase() !== name)
            throw new InvalidInput((t) => t.domain.typeItAgain({ domain: name }));
          return true;
        },
        required: true,
        ...verbatim,
      }),
    };
  };
  const showRemove = async (context: PersonContext) => {
    const domain = await findOther(context);
    const name = domainName(domain.url);
    const { domain: t } = context.texts;
    const title = t.removeQuestion({ domain: name });
    return page(
      context,
      title,
      <FormDialog
        title={title}
        form={removeForm(domain)}
        to={`${domainPath(domain.url)}/remove`}
        back={domainPath(domain.url)}
        button={t.removeDomain}
        isDestroying
      >
        <p>{costText(domain.codes, name, context.texts)}</p>
        <p>{t.removing}</p>
      </FormDialog>,
    );
  };

  return [
    operator.get('/account/domains/:domain', show),
    operator.post('/account/domains/:domain/check', async (context) => {
      const { url } = await find(context);
      await domains.checkAgain(url);
      return redirectTo(context, domainPath(url));
    }),
    operator.submit(
      '/account/domains/:domain/accounts',
      { form: formOfUsers, page: show, needsConfirmation },
      async (context, { users, named, other = '' }) => {
        const domain = await findOther(context);
        const { offered } = await offeredFor(domain);
        const ids = offered.filter(({ id }) => named.includes(id)).map(({ id }) => id);
        if (other !== '') {
          const account = await store.findByEmail(other);
          if (account === null)
            throw invalidField('other', (t) => t.domain.noSuchAccount({ email: other }));
          ids.push(account.id);
        }
        await domains.set(operatorOf(context), domain.url, {
          accountIds: users === 'all' ? null : [...new Set(ids)],
        });
        audit(context, 'domain changed', { domain: domain.url, accounts: users });
        return redirectTo(context, domainPath(domain.url), { kind: 'domainSaved' });
      },
    ),
    operator.submit(
      '/account/domains/:domain/visitors',
      { form: visitorsForm, page: show, needsConfirmation },
      async (context, pages) => {
        const { url } = await findOther(context);
        await domains.set(operatorOf(context), url, pages);
        audit(context, 'domain changed', { domain: url, pages: true });
        return redirectTo(context, domainPath(url), { kind: 'domainSaved' });
      },
    ),
    operator.get('/account/domains/:domain/remove', showRemove),
    operator.submit(
      '/account/domains/:domain/remove',
      {
        form: async (context) => removeForm(await findOther(context)),
        page: showRemove,
        needsConfirmation,
      },
      async (context, { confirmed = false }) => {
        const { url } = await findOther(context);
        const codes = await domains.remove(operatorOf(context), url, { isForced: confirmed });
        audit(context, 'domain removed', { domain: url, codes: String(codes) });
        return redirectTo(context, '/account/domains', { kind: 'domainRemoved' });
      },
    ),
  ];
}

/** Says what a removal costs. @param codes null while they are counted */
function costText(codes: number | null, domain: string, { domain: t }: Texts): string {
  if (codes === null) return t.beingCounted({ domain });
  return codes === 0 ? t.noneLost({ domain }) : t.lost({ codes, domain });
}

/** What a check looks at, in this order, and the problems that end it there. */
const steps: readonly {
  readonly name: 'address' | 'answer' | 'certificate' | 'server';
  readonly problems: readonly DomainProblem['kind'][];
}[] = [
  { name: 'address', problems: ['no address'] },
  { name: 'answer', problems: ['no answer', 'slow answer'] },
  { name: 'certificate', problems: ['bad certificate'] },
  { name: 'server', problems: ['other server'] },
];

/** Returns what is said of the steps: before they were looked at, and of what was found. */
const stepTexts = ({ domain: t }: Texts) => ({
  address: { unknown: t.toHaveAddress, good: t.hasAddress, bad: t.hasNoAddress },
  answer: { unknown: t.toAnswer, good: t.answers, bad: t.doesNotAnswer },
  certificate: {
    unknown: t.toHaveCertificate,
    good: t.certificateIsValid,
    bad: t.certificateIsNotValid,
  },
  server: { unknown: t.toBeThisServer, good: t.isThisServer, bad: t.isOtherServer },
});

/** Renders what a check found, step by step, and what to set where it stopped. */
function Findings({ domain, mainUrl }: { domain: ListedDomain; mainUrl: string }) {
  const { url, isMain, check } = domain;
  const problem = check?.problem ?? null;
  const texts = useTexts();
  const { domain: t } = texts;
  const said = stepTexts(texts);
  const shown = url.startsWith('https:')
    ? steps
    : steps.filter(({ name }) => name !== 'certificate');
  const endedAt = shown.findIndex(({ problems }) =>
    problems.some((kind) => kind === problem?.kind),
  );
  return (
    <div class="pad stack tight">
      <div class="stack tight">
        {shown.map(({ name }, at) =>
          check === null || (problem !== null && at > endedAt) ? (
            <Finding key={name} icon="note" title={said[name].unknown} class="soft">
              {check === null ? t.stepNotChecked : t.stepChecksLater}
            </Finding>
          ) : problem !== null && at === endedAt ? (
            <Finding key={name} icon="bad" title={said[name].bad} class="bad-text">
              {domainProblemSentence(problem, texts)}
            </Finding>
          ) : (
            <Finding key={name} icon="good" title={said[name].good} />
          ),
        )}
      </div>
      {problem !== null && !isMain && (
        <>
          <p>{t.setEntry}</p>
          <Copyable label={t.copyValue} text={new URL(mainUrl).hostname} />
          <p class="small soft">{t.takesTime}</p>
        </>
      )}
    </div>
  );
}

interface FindingProps {
  readonly icon: IconName;
  readonly title: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

function Finding({ icon, title, children, ...rest }: FindingProps) {
  return (
    <div class="line">
      <span {...rest}>
        <Icon name={icon} />
      </span>
      <div>
        <b {...rest}>{title}</b>
        {children && <p class="small">{children}</p>}
      </div>
    </div>
  );
}
