/** @jsxImportSource preact */
import { hasActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import { formatCount, wholeNumber } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { ownPath } from '../request/own-path.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Link } from '../ui/page-context.tsx';
import { CreateForm, createForm, renameForm } from './code-forms.tsx';
import { anchorOf, codePath } from './code-label.tsx';
import { CodeList, folderForm, type Listing, NoCodes } from './code-list.tsx';
import { csvResponse } from './downloads.ts';
import { LastBulkEdit } from './last-bulk-edit.tsx';
import { readListQuery } from './list-query.ts';
import { searchText, wantedText } from './selection.tsx';

const pageLength = 25;
// Ten million codes.
const pageRange = { default: 1, min: 1, max: 400_000 };

/** Creates the routes with which account holders list, search, create and export codes. */
export function codesRoutes(deps: PanelDeps): Route[] {
  const { qrs, insights, lists, savedDesigns, bulkEdits, randomBytes, servedPrefixes } = deps;

  const readListing = async (context: SignedInContext): Promise<Listing> => {
    const { request, session, url, nowMs } = context;
    const { id } = session.account;
    const search = searchText(url.searchParams.get('q') ?? '');
    const number = wholeNumber(url.search, 'page', pageRange);
    const { filter, sort, title } = readListQuery(url, nowMs);
    const page = await lists.page(id, {
      text: wantedText(search, servedPrefixes),
      filter,
      sort,
      limit: pageLength,
      offset: (number - 1) * pageLength,
      isWanted: () => !request.signal.aborted,
    });
    const folders = await lists.folders(id);
    const isFiltered = Object.keys(filter).length > 0;
    const isEmpty = page.total === 0 && !isFiltered && search === '' && folders.length === 0;
    return { ...page, search, isFiltered, title, number, folders, isEmpty };
  };

  const show = async (context: SignedInContext) => {
    const { account } = context.session;
    const listing = await readListing(context);
    const { total, isFiltered, search, title, isEmpty } = listing;
    const isWhole = total !== null && !isFiltered && search === '';
    return page(
      context,
      'Codes',
      <>
        <div class="row between">
          <h1>{isWhole ? formatCount(total, 'code') : title}</h1>
          <div class="row">
            <Link class="button" to="/account/batches">
              Create many
            </Link>
            <Link class="button" to="/account/codes.csv" download>
              Export as CSV
            </Link>
          </div>
        </div>
        {hasActivePlan(account, context.nowMs) && (
          <CreateForm
            attempt={newToken(randomBytes)}
            designs={await savedDesigns.list(account.id)}
          />
        )}
        <LastBulkEdit edit={await bulkEdits.last(account.id)} maxAgeMs={86_400_000} />
        {isEmpty ? <NoCodes /> : <CodeList {...listing} />}
      </>,
    );
  };
  /** Shows the list of which a code was renamed. */
  const showList = (context: SignedInContext) =>
    show({
      ...context,
      url: new URL(ownPath(context.rejected?.typed.text('list') ?? null), context.url),
    });

  return [
    signedIn.get('/account/codes', show),
    signedIn.submit(
      '/account/codes',
      {
        form: async ({ session }) => createForm(await savedDesigns.list(session.account.id)),
        page: show,
        needsPlan: true,
      },
      async (context, { attempt, url, name, design: designId }, typed) => {
        const { account } = context.session;
        // Sending the same form twice creates one code.
        const content = ['url', 'name', 'design'].map(typed.text);
        const body = new TextEncoder().encode(JSON.stringify(content));
        const key = idempotencyKey(`panel ${account.id}`, attempt, body, context.nowMs);
        const work = { signal: context.request.signal };
        const options = { name, work, ...(designId !== undefined && { designId }) };
        const { qr } = await qrs.create(account.id, url, key, options);
        return redirectTo(context, codePath(qr.code), { message: { kind: 'created' } });
      },
    ),
    signedIn.submit(
      '/account/codes/:code/name',
      { form: renameForm(''), page: showList },
      async (context, { list, name }) => {
        const code = parseCodeOrPath(context.params['code']);
        const qr = await qrs.changeLabels(context.session.account.id, code, { name });
        const path = `${list}#${anchorOf(qr)}`;
        return redirectTo(context, path, { message: { kind: 'nameSaved' } });
      },
    ),
    signedIn.get('/account/codes.csv', async ({ session, url, nowMs, log }) => {
      const { filter } = readListQuery(url, nowMs);
      return csvResponse(insights.csv(session.account.id, filter), nowMs, log);
    }),
    signedIn.submit(
      '/account/folders',
      { form: folderForm, page: showList },
      async (context, { list, folder, name }, typed) => {
        const { id } = context.session.account;
        if (typed.text('do') === 'remove') {
          const codes = await lists.removeFolder(id, folder);
          const message = { kind: 'folderRemoved', codes } as const;
          return redirectTo(context, '/account/codes', { message });
        }
        await lists.renameFolder(id, folder, name);
        const query = new URLSearchParams({ folder: `in:${name}` });
        return redirectTo(context, `${list.split('?')[0]}?${query}`, {
          message: { kind: 'folderRenamed' },
        });
      },
    ),
  ];
}
