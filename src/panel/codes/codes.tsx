/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import { parseName } from '../../core/codes/labels.ts';
import { wholeNumber } from '../../lib/whole-number.ts';
import { LastBulkEdit } from '../batches/last-bulk-edit.tsx';
import { searchText, wantedText } from '../batches/selection.tsx';
import type { PanelDeps } from '../deps.ts';
import { readDesignChoice } from '../designs/design-choice.tsx';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { formatCount } from '../ui/formatting.ts';
import { Link } from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';
import { CodeList, type Listing, NoCodes } from './code-list.tsx';
import { CreateForm, type RejectedCreate, rejectedCreate } from './create-form.tsx';
import { readDestination } from './destination-field.tsx';
import { csvResponse } from './downloads.ts';
import { scanFilterOf, scanFilters, titleOfFilter } from './scan-filter.ts';

const pageLength = 25;
// Ten million codes.
const pageRange = { default: 1, min: 1, max: 400_000 };

/** Creates the routes with which account holders list, search, create and export codes. */
export function codesRoutes(deps: PanelDeps): Route[] {
  const { qrs, insights, search, savedDesigns, bulkEdits, randomBytes, servedPrefixes } = deps;

  const readListing = async ({
    request,
    session,
    url,
    nowMs,
  }: SignedInContext): Promise<Listing> => {
    const { id } = session.account;
    const text = searchText(url.searchParams.get('q') ?? '');
    const number = wholeNumber(url.search, 'page', pageRange);
    const offset = (number - 1) * pageLength;
    const filter = scanFilterOf(url);
    if (text === '' && filter === null) {
      const { qrs: found, total } = await qrs.list(id, pageLength, offset);
      const hasOlder = offset + pageLength < total;
      return { qrs: found, search: '', filter, number, hasOlder, total };
    }
    const isWanted = () => !request.signal.aborted;
    const wanted = wantedText(text, servedPrefixes);
    const matches = filter === null ? undefined : scanFilters[filter].matches(nowMs);
    const options = { limit: pageLength, offset, isWanted, ...(matches && { matches }) };
    const found = await search(id, wanted, options);
    return { qrs: found.qrs, search: text, filter, number, hasOlder: found.hasMore, total: null };
  };

  const show = async (context: SignedInContext, rejected: RejectedCreate | null) => {
    const { account } = context.session;
    const listing = await readListing(context);
    const { total } = listing;
    return page(
      context,
      'Codes',
      <>
        <div class="title-row">
          <h1>{total === null ? titleOfFilter(listing.filter) : formatCount(total, 'code')}</h1>
          <div class="row">
            <Link class="button quiet" to="/account/batches">
              Create many
            </Link>
            <Link class="button quiet" to="/account/codes.csv" download>
              Export as CSV
            </Link>
          </div>
        </div>
        {hasActivePlan(account, context.nowMs) && (
          <CreateForm
            attempt={newToken(randomBytes)}
            designs={await savedDesigns.list(account.id)}
            rejected={rejected}
          />
        )}
        <LastBulkEdit edit={await bulkEdits.last(account.id)} maxAgeMs={86_400_000} />
        {total === 0 ? <NoCodes /> : <CodeList {...listing} />}
      </>,
      rejected?.status,
    );
  };

  return [
    signedIn.get('/account/codes', (context) => show(context, null)),
    signedIn.post('/account/codes', async (context, form) => {
      const { account } = context.session;
      requireActivePlan(account, context.nowMs);
      const typed = {
        url: readDestination(form),
        name: form.text('name'),
        design: form.text('design'),
      };
      // Sending the same form twice creates one code.
      const body = new TextEncoder().encode(JSON.stringify(typed));
      const scope = `panel ${account.id}`;
      const key = idempotencyKey(scope, form.text('attempt'), body, context.nowMs);
      try {
        const name = parseName(typed.name);
        const design = await readDesignChoice(savedDesigns, account.id, typed.design);
        const { qr } = await qrs.create(account.id, typed.url, key, { name, ...design });
        return redirectTo(context, `${codePath(qr.code)}?done=created`);
      } catch (error) {
        return show(context, rejectedCreate(typed, error));
      }
    }),
    signedIn.get('/account/codes.csv', async ({ session, nowMs, log }) =>
      csvResponse(insights.csv(session.account.id), nowMs, log),
    ),
  ];
}
