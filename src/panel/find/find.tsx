/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { hasActivePlan } from '../../core/accounts/account.ts';
import { includesRole, type Role } from '../../core/accounts/people/role.ts';
import { textMatcher } from '../../core/codes/lists/search.ts';
import type { Folder } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { CodeDestination, CodeTags, codePath, Thumbnail, titleOf } from '../codes/code-label.tsx';
import { NearNote } from '../codes/code-list.tsx';
import { pathOfFolder } from '../codes/folders/folders.tsx';
import { maxSearchLength } from '../codes/list-filters.tsx';
import { searchText } from '../codes/selection.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { page } from '../routing/responses.tsx';
import { type Route, viewer } from '../routing/route.ts';
import { SearchField } from '../ui/components.tsx';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import type { IconName } from '../ui/icons.tsx';
import { navigation } from '../ui/layout.tsx';
import { Link, Submit, useRequest, useTexts } from '../ui/page-context.tsx';

const findPath = '/account/find';
/** Of each kind. What is typed on finds the others. */
const maxFound = 6;

interface FoundPage {
  readonly path: string;
  readonly name: (texts: Texts) => string;
  readonly icon: IconName;
  /** The role that it needs; viewer when left out. */
  readonly needs?: Role;
  readonly needsPlan?: boolean;
}

/** Pages that the navigation does not have. */
const otherPages: readonly FoundPage[] = [
  {
    path: '/account/new',
    name: (t) => t.pages.newCode,
    icon: 'plus',
    needs: 'editor',
    needsPlan: true,
  },
  { path: '/account/batches', name: (t) => t.pages.createMany, icon: 'plus', needs: 'editor' },
  { path: '/account/planned', name: (t) => t.pages.plannedChanges, icon: 'clock' },
  { path: '/account/settings', name: (t) => t.common.settings, icon: 'settings' },
  {
    path: '/account/settings/people',
    name: (t) => t.people.title,
    icon: 'accounts',
    needs: 'owner',
  },
  { path: '/account/activity', name: (t) => t.common.activity, icon: 'clock', needs: 'editor' },
  { path: '/account/settings/sessions', name: (t) => t.pages.devices, icon: 'settings' },
  { path: '/account/settings/second-factor', name: (t) => t.pages.secondFactor, icon: 'key' },
  { path: '/account/keys', name: (t) => t.pages.keys, icon: 'keyboard' },
];

interface Found {
  readonly pages: readonly FoundPage[];
  readonly folders: readonly string[];
  readonly codes: readonly Qr[];
  /** What the codes match, where none matches what was sought. */
  readonly near: string | null;
}

/** Creates the route that finds codes, folders and pages. */
export function findRoutes({ lists, searchTerm }: PanelDeps): Route[] {
  const findCodes = async ({ accountId, request }: SignedInContext, text: string) => {
    const isWanted = () => !request.signal.aborted;
    const pageOf = (sought: string) =>
      lists.page(accountId, {
        ...{ text: sought, filter: {}, sort: 'newest', limit: maxFound, offset: 0 },
        isWanted,
      });
    const exact = await pageOf(text);
    const near =
      exact.qrs.length === 0
        ? await lists.nearText(accountId, { text, filter: {}, isWanted })
        : null;
    return { codes: near === null ? exact.qrs : (await pageOf(near)).qrs, near };
  };

  const find = async (context: SignedInContext, search: string): Promise<Found> => {
    const { session, nowMs, accountId, texts } = context;
    const matches = textMatcher(search);
    const mayOpen = ({ needs = 'viewer', needsPlan = false }: FoundPage) =>
      includesRole(session.role, needs) && (!needsPlan || hasActivePlan(session.entered, nowMs));
    const pages: readonly FoundPage[] = [
      ...navigation.filter(({ group }) => group !== 'operator' || session.person.isOperator),
      ...otherPages,
    ];
    const offered = pages.filter(mayOpen);
    // Nothing is sought yet: where one can go.
    if (search === '') return { pages: offered, folders: [], codes: [], near: null };
    const folders = await lists.folders(accountId);
    const named = folders.flatMap(({ name }: Folder) => name ?? []);
    return {
      pages: offered.filter(({ name }) => matches(name(texts))).slice(0, maxFound),
      folders: named.filter(matches).slice(0, maxFound),
      ...(await findCodes(context, await searchTerm(search))),
    };
  };

  return [
    viewer.get(findPath, async (context) => {
      const search = searchText(context.url.searchParams.get('q') ?? '');
      const found = await find(context, search);
      return page(context, context.texts.pages.find, <FindDialog search={search} found={found} />);
    }),
  ];
}

function FindDialog({ search, found }: { search: string; found: Found }) {
  const { basePath } = useRequest();
  const t = useTexts();
  return (
    <DialogPage title={t.pages.find}>
      <search>
        <form class="tools" action={`${basePath}${findPath}`} data-find>
          <SearchField
            id="find"
            label={t.find.whatIsFound}
            autofocus
            value={search}
            maxLength={maxSearchLength}
          />
          <Submit class="button no-script">{t.pages.find}</Submit>
        </form>
      </search>
      <div id="found" class="stack tight" data-found={foundText(found, t)}>
        <FoundParts search={search} {...found} />
      </div>
      <DialogActions back="/account" />
    </DialogPage>
  );
}

/** Says for screen readers how much was found. */
function foundText({ pages, folders, codes }: Found, t: Texts): string {
  const total = pages.length + folders.length + codes.length;
  return total === 0 ? t.find.nothingFound : t.find.results({ results: total });
}

function FoundParts({ search, pages, folders, codes, near }: Found & { search: string }) {
  const t = useTexts();
  if (pages.length + folders.length + codes.length === 0)
    return <p class="soft">{t.find.nothingMatches({ search: <bdi>{search}</bdi> })}</p>;
  return (
    <>
      {codes.length > 0 && (
        <Part title={t.find.codes}>
          {near !== null && <NearNote search={search} near={near} />}
          <ul class="list">
            {codes.map((qr) => (
              <li key={qr.id}>
                <Thumbnail qr={qr} />
                <span class="what">
                  <span>
                    <Link class="name" to={codePath(qr.code)} dir="auto">
                      {titleOf(qr)}
                    </Link>
                    <CodeTags qr={qr} />
                  </span>
                  <CodeDestination {...qr} />
                </span>
              </li>
            ))}
          </ul>
          {codes.length === maxFound && (
            <p class="small">
              <Link
                class="link"
                to={`/account/codes?${new URLSearchParams({ q: near ?? search })}`}
              >
                {t.find.allThatMatch}
              </Link>
            </p>
          )}
        </Part>
      )}
      {folders.length > 0 && (
        <Part title={t.find.folders}>
          <ul class="found">
            {folders.map((name) => (
              <li key={name}>
                <Link to={pathOfFolder(name)} icon="folder">
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {pages.length > 0 && (
        <Part title={t.find.pages}>
          <ul class="found">
            {pages.map(({ path, name, icon }) => (
              <li key={path}>
                <Link to={path} icon={icon}>
                  {name(t)}
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="stack close" aria-label={title}>
      <h2 class="label">{title}</h2>
      {children}
    </section>
  );
}
