/** @jsxImportSource preact */
import type { Qr } from '../../core/codes/qr.ts';
import { countText, numberText, unturned } from '../ui/formatting.ts';
import { Image } from '../ui/image.tsx';
import { Ago } from '../ui/moment.tsx';
import { destinationInput, Field, Form, Link, Notice } from '../ui/parts.tsx';
import { CodeTags } from './code-tags.tsx';

/** A page of the list, or of what was found in it. */
export interface Listing {
  readonly qrs: readonly Qr[];
  /** Counted from 1. */
  readonly number: number;
  /** Whether another page follows. */
  readonly older: boolean;
  /** How many codes there are; null where they were searched, and not counted. */
  readonly total: number | null;
  /** How many pages; null likewise. */
  readonly pages: number | null;
  readonly search: string;
}

interface CodesProps {
  readonly listing: Listing;
  readonly nowMs: number;
  readonly planEnded: boolean;
  /** Names this very form, so that sending it twice creates one code. */
  readonly attempt: string;
  readonly typed?: string;
  readonly problem?: string | null;
  /** Whether the problem is the design, not what was typed. */
  readonly designRefused?: boolean;
}

export function CodesPage(props: CodesProps) {
  const { listing, nowMs, planEnded, problem = null } = props;
  const { qrs, total, search } = listing;
  const begin = total === 0;
  return (
    <>
      <div class="title-row">
        <h1>Codes {total !== null && total > 0 && <Count value={total} />}</h1>
        {total !== null && total > 0 && (
          <Link class="button quiet" to="/account/codes.csv" download>
            Export as CSV
          </Link>
        )}
      </div>
      {!planEnded && <CreateForm {...props} first={begin} />}
      {planEnded && problem !== null && <Notice kind="bad" title={problem} />}
      {begin ? (
        <section class="empty">
          <h2>No codes yet</h2>
          <p>
            A code is a printed mark whose destination you can change whenever you like. Before you
            print many, <Link to="/account/design">give it your colours and logo</Link>: a code
            keeps the look it was created with.
          </p>
        </section>
      ) : (
        <>
          <search>
            <form class="search">
              <label class="hidden" for="q">
                Find by destination, code or short link
              </label>
              <input
                id="q"
                name="q"
                type="search"
                value={search}
                placeholder="Destination, code or link"
              />
              <button type="submit" class="quiet">
                Find
              </button>
            </form>
          </search>
          {qrs.length === 0 ? (
            <section class="empty">
              <h2>Nothing found</h2>
              <p>
                {listing.number > 1
                  ? 'The list has no such page.'
                  : `No code and no destination contains “${search}”.`}{' '}
                <Link to="/account">Show all codes</Link>
              </p>
            </section>
          ) : (
            <ul class="codes">
              {qrs.map((qr) => (
                <CodeRow key={qr.id} qr={qr} nowMs={nowMs} />
              ))}
            </ul>
          )}
          <Pages {...listing} />
        </>
      )}
    </>
  );
}

function Count({ value }: { value: number }) {
  return <span class="count">{numberText(value)}</span>;
}

function CreateForm({
  attempt,
  typed = '',
  problem = null,
  designRefused = false,
  first,
}: CodesProps & { first: boolean }) {
  return (
    <Form to="/account/codes" class="create">
      <input type="hidden" name="attempt" value={attempt} />
      <Field
        id="url"
        label={first ? 'Where should your first code lead?' : 'Create a code that leads to'}
        problem={
          designRefused ? (
            <>
              {problem} <Link to="/account/design">To the design</Link>
            </>
          ) : (
            problem
          )
        }
        input={{
          ...destinationInput,
          value: typed,
          placeholder: 'https://example.com/menu',
        }}
      />
      <button type="submit">Create</button>
    </Form>
  );
}

function CodeRow({ qr, nowMs }: { qr: Qr; nowMs: number }) {
  const path = `/account/codes/${qr.code}`;
  const destination = unturned(qr.destination);
  return (
    <li>
      <Thumbnail code={qr.code} />
      <div class="code-where">
        <Link class="list-link" to={path}>
          <span class="code-name">{qr.code}</span>
          <CodeTags status={qr.status} flagged={qr.flag !== null} />
        </Link>
        <span class="code-destination" title={destination}>
          {withoutScheme(destination)}
        </span>
      </div>
      <div class="code-scans">
        {qr.lastScanMs === null ? (
          <span>no scans yet</span>
        ) : (
          <>
            <b>{countText(qr.scans, 'scan')}</b>
            <span>
              <span class="hidden">last scan </span>
              <Ago ms={qr.lastScanMs} nowMs={nowMs} />
            </span>
          </>
        )}
      </div>
    </li>
  );
}

/** The picture leads where the name beside it leads, so keyboards and screen readers skip it. */
function Thumbnail({ code }: { code: string }) {
  return (
    <Link class="thumb" to={`/account/codes/${code}`} tabIndex={-1} aria-hidden="true">
      <Image path={`/account/codes/${code}/image.png?size=128`} alt="" widthPx={56} lazy />
    </Link>
  );
}

function Pages({ number, pages, older, search, qrs }: Listing) {
  if (number > 1 && qrs.length === 0) return null;
  if (number === 1 && !older)
    return search === '' || qrs.length === 0 ? null : (
      <p class="hint">{countText(qrs.length, 'code')} found.</p>
    );
  const to = (other: number) => {
    const query = new URLSearchParams(search === '' ? {} : { q: search });
    if (other > 1) query.set('page', String(other));
    return `/account${query.size === 0 ? '' : `?${query}`}`;
  };
  return (
    <nav class="pages" aria-label="Pages of the list">
      {number > 1 ? <Link to={to(number - 1)}>Newer</Link> : <span />}
      <span>
        Page {numberText(number)}
        {pages !== null && ` of ${numberText(pages)}`}
      </span>
      {older ? <Link to={to(number + 1)}>Older</Link> : <span />}
    </nav>
  );
}

/** A destination as it is read: the scheme says little, and the rest needs the room; `www.` may lead elsewhere. */
function withoutScheme(destination: string): string {
  return destination.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
