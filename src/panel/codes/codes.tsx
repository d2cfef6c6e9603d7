/** @jsxImportSource preact */

import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import { newToken } from '../../core/accounts/session.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import { beginsWithDomain } from '../../core/codes/urls/typed-address.ts';
import { ApiError } from '../../core/errors.ts';
import { say } from '../../languages/texts.ts';
import { chosenDesign } from '../designs/design-field.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { listOf } from '../request/own-path.ts';
import type { SignedInContext } from '../request/request.ts';
import { csvResponse } from '../routing/downloads.ts';
import { pageNotFound, scansBeingCounted } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { PageHead } from '../ui/components.tsx';
import { InvalidForm } from '../ui/form.tsx';
import { Link } from '../ui/page-context.tsx';
import { createForm } from './code-forms.ts';
import { codePath } from './code-label.tsx';
import { CodeList, type Listing, NoCodes } from './code-list.tsx';
import { FolderMenu, printPathOf } from './folders/folders.tsx';
import { readListQuery, readPageNumber } from './list-filters.tsx';
import { NewCode, newCodePath, readyNewCode } from './new-code.tsx';
import { keepChartLength } from './scans/chart-period.tsx';
import { FolderScans, readFolderFigures } from './scans/folder-scans.tsx';
import { searchText } from './selection.ts';

const pageLength = 25;
/** While the scans of a large folder are counted. */
const reloadSeconds = 5;
/**
 * Who looks for a code beyond these pages searches or filters.
 * Where no index has the order, all before are sorted.
 */
const lastPage = 400;
/** What a page beyond the last one shows. */
const noPage = { qrs: [], total: null, hasMore: false } as const;

/** Creates the routes with which account holders list, search, create and export codes. */
export function codesRoutes(deps: PanelDeps): Route[] {
  const { qrs, insights, lists, periodLists, overviews, savedDesigns, randomBytes, searchTerm } =
    deps;

  const readListing = async (
    context: SignedInContext,
  ): Promise<Listing & { readonly isOutside: boolean }> => {
    const { request, accountId, url, zone } = context;
    const search = searchText(url.searchParams.get('q') ?? '');
    const number = readPageNumber(url);
    const { filter, sort, period, title, inFolder } = readListQuery(url, context);
    const isWanted = () => !request.signal.aborted;
    const readPage = (text: string) => {
      const query = { text, filter, limit: pageLength, offset: (number - 1) * pageLength };
      return period !== null && sort === 'scans'
        ? periodLists.page(accountId, { ...query, days: period, zone })
        : lists.page(accountId, { ...query, sort, isWanted });
    };
    const text = await searchTerm(search);
    const exact = number > lastPage ? noPage : await readPage(text);
    const near =
      exact?.total === 0 && search !== ''
        ? await lists.nearText(accountId, { text, filter, isWanted })
        : null;
    // Null while the codes are sorted.
    const read = near === null ? exact : await readPage(near);
    const page = read ?? noPage;
    const folders = await lists.folders(accountId);
    const isFiltered = Object.keys(filter).length > 0;
    const isEmpty = page.total === 0 && !isFiltered && search === '' && folders.length === 0;
    const days = await lists.dailyScans(page.qrs, zone);
    const listPeriod =
      period === null
        ? null
        : { days: period, scans: await periodLists.scans(page.qrs, period, zone) };
    const designs = await savedDesigns.list(accountId);
    return {
      ...page,
      search,
      near,
      inFolder,
      isOutside: filter.folder === null,
      title,
      number,
      pageLength,
      lastPage,
      folders,
      designs,
      days,
      period: listPeriod,
      isCounting: read === null,
      isEmpty,
    };
  };

  /** Counts the codes of a folder that have a status; null for too many. */
  const countIn = async (
    { accountId }: SignedInContext,
    folder: string,
    status: 'active' | 'paused',
  ) => {
    const filter = { folder, status };
    const query = { text: '', filter, sort: 'newest', limit: 1, offset: 0 } as const;
    return (await lists.page(accountId, query)).total;
  };

  const show = async (context: SignedInContext) => {
    const listing = await readListing(context);
    const { total, isEmpty, inFolder: named } = listing;
    const { texts: t } = context;
    const isUnknown =
      named !== null &&
      listing.qrs.length === 0 &&
      !(await lists.hasFolder(context.accountId, named));
    const isBeyond = listing.number > 1 && listing.qrs.length === 0 && !listing.isCounting;
    // Anybody can write a link with any name of a folder, which is no heading of this page.
    const inFolder = isUnknown ? null : named;
    // Of many folders, not all are listed.
    const isFolder = inFolder !== null;
    const figures =
      isFolder || (listing.isOutside && !isEmpty)
        ? await readFolderFigures(overviews, context, inFolder)
        : null;
    const active = isFolder ? await countIn(context, inFolder, 'active') : null;
    const paused = isFolder ? await countIn(context, inFolder, 'paused') : null;
    const list = `${context.url.pathname}${context.url.search}`;
    const title = isUnknown ? t.list.title : say(listing.title, t);
    const newQuery = { ...(inFolder !== null && { folder: inFolder }), list };
    const shown = page(
      context,
      title,
      <>
        {inFolder !== null && <Crumb above={[['/account/codes', t.list.title]]}>{inFolder}</Crumb>}
        <PageHead
          title={<bdi>{title}</bdi>}
          beside={
            <>
              {total !== null && <span class="soft">{t.formats.number(total)}</span>}
              {paused !== null && paused > 0 && (
                <span class="pill warn">{t.list.paused({ codes: paused })}</span>
              )}
            </>
          }
        >
          {inFolder === null ? (
            includesRole(context.session.role, 'editor') && (
              <Link class="button compact-hide" to="/account/batches">
                {t.list.createMany}
              </Link>
            )
          ) : (
            <Link class="button compact-hide" to={printPathOf(inFolder)} icon="print">
              {t.list.print}
            </Link>
          )}
          {hasActivePlan(context.session.entered, context.nowMs) && (
            <Link
              class="button primary"
              to={newCodePath(newQuery)}
              data-dialog
              data-shortcut="n"
              icon="plus"
            >
              {inFolder === null ? t.list.newCode : t.list.newCodeHere}
              <span class="compact-hide" aria-hidden="true">
                <kbd>N</kbd>
              </span>
            </Link>
          )}
          {inFolder !== null && includesRole(context.session.role, 'editor') && (
            <FolderMenu
              {...{ name: inFolder, list, active, paused }}
              hasDomains={(await qrs.newDomains.usable(context.accountId)).length > 1}
            />
          )}
        </PageHead>
        {figures !== null && (
          <FolderScans
            {...figures}
            title={isFolder ? t.list.folderScans : t.list.scansWithoutFolder}
          />
        )}
        {await readyNewCode(deps, context, listing.folders, newQuery)}
        {isEmpty ? <NoCodes /> : <CodeList {...listing} isUnknown={isUnknown} />}
      </>,
      isUnknown || isBeyond ? 404 : 200,
    );
    if (figures !== null) keepChartLength(context, figures.period, shown);
    const isCounting =
      listing.isCounting ||
      (figures !== null && (figures.overview === null || figures.sums === null));
    return isCounting ? reloading(shown, reloadSeconds) : shown;
  };
  const newForm = async ({ accountId }: SignedInContext) =>
    createForm(
      await savedDesigns.list(accountId),
      await lists.folders(accountId),
      await qrs.newDomains.choicesOf(accountId, null),
    );
  const showNew = async (context: SignedInContext) => {
    requireActivePlan(context.session.entered, context.nowMs);
    const { accountId, url } = context;
    const given = (name: string) => url.searchParams.get(name) ?? '';
    const design = context.rejected?.typed.text('design') ?? given('design');
    return page(
      context,
      context.texts.list.newCode,
      <NewCode
        designs={await savedDesigns.list(accountId)}
        folders={await lists.folders(accountId)}
        domains={await qrs.newDomains.choicesOf(accountId, given('folder') || null)}
        chosen={await chosenDesign(deps, context, design)}
        attempt={newToken(randomBytes)}
        list={listOf(context)}
        values={{ url: given('url'), name: given('name'), folder: given('folder'), design }}
      />,
    );
  };
  return [
    viewer.get('/account/codes', show),
    editor.get('/account/new', showNew),
    editor.submit(
      '/account/codes',
      { form: newForm, page: showNew, needsPlan: true },
      async (context, { attempt, url, design: designId, domain, ...labels }, typed) => {
        const { acting, accountId } = context;
        // Sending the same form twice creates one code.
        const content = ['url', ...Object.keys(labels), 'design', 'domain'].map(typed.text);
        const text = JSON.stringify(content);
        const key = idempotencyKey(`panel ${accountId}`, attempt, text, context.nowMs);
        const work = { signal: context.request.signal, isUrgent: true };
        const options = {
          ...{ ...labels, work },
          ...(designId !== undefined && { designId }),
          ...(domain !== undefined && { domain }),
        };
        const { qr } = await qrs.create(acting, url, key, options).catch(async (error: unknown) => {
          const isUnreadable = error instanceof ApiError && error.code === 'design_unreadable';
          const chosen = isUnreadable && (await chosenDesign(deps, context, typed.text('design')));
          // The page says it beside the design.
          throw chosen && chosen.problem !== null ? new InvalidForm({}) : error;
        });
        const isCompleted = beginsWithDomain(typed.text('url'));
        return redirectTo(context, codePath(qr.code), { kind: 'created', isCompleted });
      },
    ),
    viewer.get('/account/codes.csv', async (context) => {
      const { accountId, request, url, zone } = context;
      const { filter, sort, period, inFolder } = readListQuery(url, context);
      if (inFolder !== null && !(await lists.hasFolder(accountId, inFolder))) throw pageNotFound();
      const text = await searchTerm(searchText(url.searchParams.get('q') ?? ''));
      const isWanted = () => !request.signal.aborted;
      const codes =
        period !== null && sort === 'scans'
          ? await periodLists.readAll(accountId, { text, filter, days: period, zone })
          : await lists.readAll(accountId, { text, filter, sort, isWanted });
      if (codes === null) throw scansBeingCounted();
      const hasDomains = (await qrs.newDomains.usable(accountId)).length > 1;
      return csvResponse(insights.csv(codes, zone, { hasDomains }), context);
    }),
  ];
}
