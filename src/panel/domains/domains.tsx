/** @jsxImportSource preact */

import { withScheme } from '../../core/codes/urls/typed-address.ts';
import type { ListedDomain } from '../../core/domains/domains.ts';
import { parseDomainUrl } from '../../core/domains/domains.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { PageHead } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { choiceField, textField, verbatim } from '../ui/fields.tsx';
import { Setting, SettingList } from '../ui/groups.tsx';
import { ButtonLink, Link, useTexts } from '../ui/page-context.tsx';
import { domainPath, operatorOf } from './domain.tsx';
import { DomainFacts, DomainProblemLine, DomainState, domainName } from './domain-state.tsx';

/** While domains are checked, or their codes are counted. */
const reloadSeconds = 5;

const users = [
  {
    value: 'all',
    title: (t: Texts) => t.domains.allAccounts,
    text: (t: Texts) => t.domains.eachChooses,
  },
  {
    value: 'none',
    title: (t: Texts) => t.domains.noAccountYet,
    text: (t: Texts) => t.domains.nameThemLater,
  },
] as const;

const addForm = {
  url: textField({
    label: (t) => t.domains.domain,
    hint: (t) => t.domains.domainHint,
    parse: (text) => parseDomainUrl(withScheme(text)),
    required: true,
    inputMode: 'url',
    placeholder: 'go.example.com',
    maxLength: 300,
    ...verbatim,
  }),
  users: choiceField({
    label: (t) => t.domains.whoMayPrint,
    choices: users,
    parse: (text) => {
      const chosen = users.find(({ value }) => value === text);
      if (chosen === undefined) throw new InvalidInput((t) => t.domains.chooseWhoMayPrint);
      return chosen.value;
    },
  }),
};

/** Creates the routes with which operators list and add domains. */
export function domainsRoutes({ domains }: Pick<PanelDeps, 'domains'>): Route[] {
  const show = async (context: PersonContext) => {
    const listed = await domains.list();
    const { domains: t, pages, formats } = context.texts;
    const shown = page(
      context,
      pages.domains,
      <>
        <PageHead
          title={pages.domains}
          beside={<span class="soft">{formats.number(listed.length)}</span>}
          text={t.whatTheyAre}
        >
          <Link class="button primary" to="/account/domains/new" data-dialog icon="plus">
            {t.addDomain}
          </Link>
        </PageHead>
        <section class="card" aria-label={pages.domains}>
          <SettingList>
            {listed.toSorted(byState).map((domain) => (
              <DomainLine key={domain.url} domain={domain} />
            ))}
          </SettingList>
        </section>
        <p class="small soft">{t.whenChecked}</p>
      </>,
    );
    const isComplete = listed.every(({ codes, check }) => codes !== null && check !== null);
    return isComplete ? shown : reloading(shown, reloadSeconds);
  };
  const showNew = async (context: PersonContext) => {
    const { domains: t } = context.texts;
    return page(
      context,
      t.addDomain,
      <FormDialog
        title={t.addDomain}
        form={addForm}
        to="/account/domains"
        back="/account/domains"
        button={t.add}
      />,
    );
  };

  return [
    operator.get('/account/domains', show),
    operator.get('/account/domains/new', showNew),
    operator.submit(
      '/account/domains',
      { form: addForm, page: showNew, needsConfirmation: true },
      async (context, { url, users }) => {
        await domains.add(operatorOf(context), url, { accountIds: users === 'all' ? null : [] });
        audit(context, 'domain added', { domain: url });
        return redirectTo(context, domainPath(url), { kind: 'domainAdded' });
      },
    ),
  ];
}

/** Those that need somebody first. */
function byState(one: ListedDomain, other: ListedDomain): number {
  return Number(isWrong(other)) - Number(isWrong(one));
}

function isWrong({ check }: ListedDomain): boolean {
  return check !== null && check.problem !== null;
}

function DomainLine({ domain }: { domain: ListedDomain }) {
  const { url, isMain, check } = domain;
  const name = domainName(url);
  const { domains: t } = useTexts();
  return (
    <Setting
      name={
        <span class="row tight">
          <bdi>{name}</bdi> <DomainState check={check} />
          {isMain && [
            ' ',
            <span key="main" class="pill plain">
              {t.mainAddress}
            </span>,
          ]}
        </span>
      }
      text={
        <>
          <DomainFacts domain={domain} />
          <DomainProblemLine check={check} />
        </>
      }
    >
      <ButtonLink
        to={domainPath(url)}
        class="button small"
        aria-label={t.openThis({ domain: name })}
      >
        {t.open}
      </ButtonLink>
    </Setting>
  );
}
