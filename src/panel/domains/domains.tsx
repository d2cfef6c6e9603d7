/** @jsxImportSource preact */

import { withScheme } from '../../core/codes/urls/typed-address.ts';
import type { ListedDomain } from '../../core/domains/domains.ts';
import { parseDomainUrl } from '../../core/domains/domains.ts';
import { formatNumber } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { PageHead } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { choiceField, textField, verbatim } from '../ui/fields.tsx';
import { Setting, SettingList } from '../ui/groups.tsx';
import { ButtonLink, Link } from '../ui/page-context.tsx';
import { domainPath, operatorOf } from './domain.tsx';
import {
  CheckedAt,
  codesPhrase,
  DomainProblemLine,
  DomainState,
  domainName,
  usersPhrase,
} from './domain-state.tsx';

/** While domains are checked, or their codes are counted. */
const reloadSeconds = 5;

const users = [
  { value: 'all', title: 'All accounts', text: 'Each account chooses it for its codes.' },
  { value: 'none', title: 'No account yet', text: 'You name accounts on the page of the domain.' },
] as const;

const addForm = {
  url: textField({
    label: 'Domain',
    hint: 'It may lead to this server later. Don’t print before it does.',
    parse: (text) => parseDomainUrl(withScheme(text)),
    required: true,
    inputMode: 'url',
    placeholder: 'go.example.com',
    maxLength: 300,
    ...verbatim,
  }),
  users: choiceField({
    label: 'Who may print codes with it',
    choices: users,
    parse: (text) => {
      const chosen = users.find(({ value }) => value === text);
      if (chosen === undefined) throw new InvalidInput('Choose who may print codes with it.');
      return chosen.value;
    },
  }),
};

/** Creates the routes with which operators list and add domains. */
export function domainsRoutes({ domains }: Pick<PanelDeps, 'domains'>): Route[] {
  const show = async (context: PersonContext) => {
    const listed = await domains.list();
    const shown = page(
      context,
      'Domains',
      <>
        <PageHead
          title="Domains"
          beside={<span class="soft">{formatNumber(listed.length)}</span>}
          text="The addresses that codes are printed with. A printed code keeps its domain for ever."
        >
          <Link class="button primary" to="/account/domains/new" data-dialog icon="plus">
            Add a domain
          </Link>
        </PageHead>
        <section class="card" aria-label="Domains">
          <SettingList>
            {listed.toSorted(byState).map((domain) => (
              <DomainLine key={domain.url} domain={domain} />
            ))}
          </SettingList>
        </section>
        <p class="small soft">
          Domains are checked when this page is opened, those that lead here once an hour.
        </p>
      </>,
    );
    const isComplete = listed.every(({ codes, check }) => codes !== null && check !== null);
    return isComplete ? shown : reloading(shown, reloadSeconds);
  };
  const showNew = async (context: PersonContext) =>
    page(
      context,
      'Add a domain',
      <FormDialog
        title="Add a domain"
        form={addForm}
        to="/account/domains"
        back="/account/domains"
        button="Add"
      />,
    );

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
  const { url, isMain, accounts, codes, check } = domain;
  const name = domainName(url);
  return (
    <Setting
      name={
        <span class="row tight">
          <bdi>{name}</bdi> <DomainState check={check} />
          {isMain && [
            ' ',
            <span key="main" class="pill plain">
              Address of this server
            </span>,
          ]}
        </span>
      }
      text={
        <>
          {usersPhrase(accounts)} · {codesPhrase(codes)}
          {check !== null && ' · '}
          <CheckedAt check={check} />
          <DomainProblemLine check={check} />
        </>
      }
    >
      <ButtonLink to={domainPath(url)} class="button small" aria-label={`Open ${name}`}>
        Open
      </ButtonLink>
    </Setting>
  );
}
