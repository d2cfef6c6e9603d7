/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { codeInShortLink } from '../../core/codes/short-url.ts';
import { wholeNumber } from '../../lib/whole-number.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Image, RelativeTime, Search } from '../ui/components.tsx';
import { formatCount, formatNumber } from '../ui/formatting.ts';
import { Link } from '../ui/page-context.tsx';
import { CodeDestination, CodeLink, codePath } from './code-label.tsx';
import { CreateForm } from './create-form.tsx';
import {
  type RejectedDestination,
  readDestination,
  rejectedDestination,
} from './destination-field.tsx';
import { csvResponse } from './downloads.ts';

const pageLength = 25;
const maxSearchLength = 200;
// Ten million codes.
const pageRange = { default: 1, min: 1, max: 400_000 };

/** Creates the routes with which account holders list, search, create and export codes. */
export function codesRoutes(deps: PanelDeps): Route[] {
  const { qrs, insights, search, randomBytes, servedPrefixes } = deps;

  const readListing = async ({ request, session, url }: SignedInContext): Promise<Listing> => {
    const { id } = session.account;
    const text = (url.searchParams.get('q') ?? '').trim().slice(0, maxSearchLength);
    const number = wholeNumber(url.search, 'page', pageRange);
    const offset = (number - 1) * pageLength;
    if (text === '') {
      const { qrs: found, total } = await qrs.list(id, pageLength, offset);
      return { qrs: found, search: '', number, hasOlder: offset + pageLength < total, total };
    }
    const isWanted = () => !request.signal.aborted;
    const wanted = codeInShortLink(text, servedPrefixes) ?? text;
    const found = await search(id, wanted, { limit: pageLength, offset, isWanted });
    return { qrs: found.qrs, search: text, number, hasOlder: found.hasMore, total: null };
  };

  const show = async (context: SignedInContext, rejected: RejectedDestination | null) => {
    const listing = await readListing(context);
    const { total } = listing;
    return page(
      context,
      'Codes',
      <>
        <div class="title-row">
          <h1>{total === null ? 'Codes' : formatCount(total, 'code')}</h1>
          <Link class="button quiet" to="/account/codes.csv" download>
            Export as CSV
          </Link>
        </div>
        {hasActivePlan(context.session.account, context.nowMs) && (
          <CreateForm attempt={newToken(randomBytes)} rejected={rejected} />
        )}
        {total === 0 ? <NoCodes /> : <CodeList {...listing} />}
      </>,
      rejected?.error.status,
    );
  };

  return [
    signedIn.get('/account/codes', (context) => show(context, null)),
    signedIn.post('/account/codes', async (context, form) => {
      const { account } = context.session;
      requireActivePlan(account, context.nowMs);
      const typed = readDestination(form);
      const body = new TextEncoder().encode(typed);
      // Sending the same form twice creates one code.
      const scope = `panel ${account.id}`;
      const key = idempotencyKey(scope, form.text('attempt'), body, context.nowMs);
      try {
        const { code } = await qrs.create(account.id, typed, key);
        return redirectTo(context, `/account/codes/${code}?done=created`);
      } catch (error) {
        return show(context, rejectedDestination(typed, error));
      }
    }),
    signedIn.get('/account/codes.csv', async ({ session, nowMs, log }) =>
      csvResponse(insights.csv(session.account.id), nowMs, log),
    ),
  ];
}

/** A page of the list or of a search. */
interface Listing {
  readonly qrs: readonly Qr[];
  /** Empty for the list. */
  readonly search: string;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly hasOlder: boolean;
  /** Number of codes in the list; null for a search. */
  readonly total: number | null;
}

function NoCodes() {
  return (
    <section class="empty">
      <h2>No codes yet</h2>
      <p>
        You can change the destination of a printed code at any time. Its image never changes, so{' '}
        <Link to="/account/design">set your colours and logo</Link> before you print.
      </p>
    </section>
  );
}

function CodeList({ qrs, search, number, hasOlder }: Listing) {
  return (
    <>
      <Search label="Destination, code or short link" button="Search" value={search} />
      {qrs.length === 0 ? (
        <section class="empty">
          <h2>No codes found</h2>
          <p>
            {number > 1 ? 'This page is empty.' : `No code or destination contains “${search}”.`}{' '}
            <Link to="/account/codes">Show all codes</Link>
          </p>
        </section>
      ) : (
        <ul class="codes">
          {qrs.map((qr) => (
            <CodeRow key={qr.id} qr={qr} />
          ))}
        </ul>
      )}
      {(number > 1 || hasOlder) && (
        <nav class="title-row" aria-label="Pages of the list">
          {number > 1 ? <Link to={pathOfPage(number - 1, search)}>Newer</Link> : <span />}
          <span>Page {formatNumber(number)}</span>
          {hasOlder ? <Link to={pathOfPage(number + 1, search)}>Older</Link> : <span />}
        </nav>
      )}
    </>
  );
}

function pathOfPage(number: number, search: string): string {
  const query = new URLSearchParams({ page: String(number), ...(search !== '' && { q: search }) });
  return `/account/codes?${query}`;
}

function CodeRow({ qr }: { qr: Qr }) {
  const path = codePath(qr.code);
  return (
    <li>
      {/* The same link as the code beside it, so keyboards and screen readers skip it. */}
      <Link class="thumb" to={path} tabIndex={-1} aria-hidden="true">
        <Image path={`${path}/image.png?size=128`} alt="" widthPx={56} />
      </Link>
      <div class="title-row">
        <div class="code-where">
          <CodeLink qr={qr} />
          <CodeDestination {...qr} />
        </div>
        <span class="hint">
          {formatCount(qr.scans, 'scan')}
          {qr.lastScanMs !== null && [' · last scan ', <RelativeTime ms={qr.lastScanMs} />]}
        </span>
      </div>
    </li>
  );
}
