/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import { parseCode } from '../../core/codes/code.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { codeInShortLink } from '../../core/codes/short-url.ts';
import { ApiError } from '../../core/errors.ts';
import { type WholeNumber, wholeNumber } from '../../lib/whole-number.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { CodePage } from './code-page.tsx';
import { doneText, pathOfCode, spanOf } from './code-request.ts';
import { CodesPage, type Listing } from './codes-page.tsx';
import { csvResponse, imageResponse } from './downloads.ts';

const pageLength = 25;
const longestSearch = 200;
// Ten million codes, the most that the server was measured with.
const pageRange: WholeNumber = { default: 1, min: 1, max: 400_000 };

/** What was typed into a form that was refused, and why. */
interface Refusal {
  readonly typed: string;
  readonly error: ApiError;
}

/** Tells tabs of the list apart. */
function titleOf(text: string, number: number): string {
  const what = text === '' ? 'Codes' : `Codes: ${text}`;
  return number === 1 ? what : `${what}, page ${number}`;
}

/** The account's codes: the list, one code's page, and everything that is done with them. */
export function codeRoutes(deps: PanelDeps): Route[] {
  const { qrs, insights, search, randomBytes, shortBases } = deps;

  /** A page of all codes, or of those that a text is found in. */
  const listing = async (
    context: SignedInContext,
    number: number,
    text: string,
  ): Promise<Listing> => {
    const { id } = context.session.account;
    const offset = (number - 1) * pageLength;
    if (text === '') {
      const { qrs: shown, total } = await qrs.list(id, pageLength, offset);
      const pages = Math.ceil(total / pageLength);
      return { qrs: shown, number, older: number < pages, total, pages, search: text };
    }
    const isWanted = () => !context.request.signal.aborted;
    const wanted = codeInShortLink(text, shortBases) ?? text;
    const found = await search(id, wanted, { limit: pageLength, offset, isWanted });
    return { qrs: found.qrs, number, older: found.hasMore, total: null, pages: null, search: text };
  };

  const list = async (context: SignedInContext, refusal: Refusal | null = null) => {
    const { account } = context.session;
    const query = context.url.searchParams;
    const text = (query.get('q') ?? '').trim().slice(0, longestSearch);
    const number = wholeNumber(context.url.search, 'page', pageRange);
    return page(
      context,
      {
        title: titleOf(text, number),
        section: 'codes',
        status: refusal?.error.status ?? 200,
      },
      <CodesPage
        listing={await listing(context, number, text)}
        nowMs={context.nowMs}
        planEnded={!hasActivePlan(account, context.nowMs)}
        attempt={newToken(randomBytes)}
        typed={refusal?.typed ?? ''}
        problem={refusal?.error.message ?? null}
        designRefused={refusal?.error.code === 'design_unreadable'}
      />,
    );
  };

  const one = async (context: SignedInContext, qr: Qr, refusal: Refusal | null = null) => {
    const span = spanOf(context.url);
    return page(
      context,
      { title: qr.code, section: 'codes', status: refusal?.error.status ?? 200 },
      <CodePage
        qr={qr}
        insight={await insights.of(qr, span)}
        span={span}
        nowMs={context.nowMs}
        planEnded={!hasActivePlan(context.session.account, context.nowMs)}
        done={doneText(context.url.searchParams.get('done'), qr.status)}
        {...(refusal !== null && { typed: refusal.typed, problem: refusal.error.message })}
      />,
    );
  };

  const own = (context: SignedInContext, params: Readonly<Record<string, string>>) =>
    qrs.get(context.session.account.id, parseCode(params['code']));

  const image = async (
    context: SignedInContext,
    params: Readonly<Record<string, string>>,
    format: 'png' | 'svg',
  ) => {
    const qr = await own(context, params);
    return imageResponse(context.url, qr, format, (widthPx) => qrs.image(qr, format, widthPx));
  };

  return [
    { method: 'GET', path: '/account', who: 'signed-in', answer: (context) => list(context) },
    {
      method: 'POST',
      path: '/account/codes',
      who: 'signed-in',
      answer: async (context, _params, form) => {
        const { account } = context.session;
        const typed = withScheme(form.text('url').trim());
        requireActivePlan(account, context.nowMs);
        const body = new TextEncoder().encode(typed);
        const retry = idempotencyKey(
          `panel ${account.id}`,
          form.text('attempt'),
          body,
          context.nowMs,
        );
        return orRefusal(
          async () => {
            const { code } = await qrs.create(account.id, typed, retry);
            return redirectTo(context, `/account/codes/${code}?done=created`);
          },
          (error) => list(context, { typed, error }),
        );
      },
    },
    {
      method: 'GET',
      path: '/account/codes.csv',
      who: 'signed-in',
      answer: async ({ session, nowMs, log }) =>
        csvResponse(insights.csv(session.account.id), nowMs, log),
    },
    {
      method: 'GET',
      path: '/account/codes/:code',
      who: 'signed-in',
      answer: async (context, params) => one(context, await own(context, params)),
    },
    {
      method: 'GET',
      path: '/account/codes/:code/image.png',
      who: 'signed-in',
      answer: (context, params) => image(context, params, 'png'),
    },
    {
      method: 'GET',
      path: '/account/codes/:code/image.svg',
      who: 'signed-in',
      answer: (context, params) => image(context, params, 'svg'),
    },
    {
      method: 'POST',
      path: '/account/codes/:code/destination',
      who: 'signed-in',
      answer: async (context, params, form) => {
        const { account } = context.session;
        const typed = withScheme(form.text('url').trim());
        const { code } = await own(context, params);
        requireActivePlan(account, context.nowMs);
        return orRefusal(
          async () => {
            await qrs.changeDestination(account.id, code, async () => typed);
            return redirectTo(context, pathOfCode(code, spanOf(context.url), 'destination'));
          },
          async (error) => one(context, await own(context, params), { typed, error }),
        );
      },
    },
    ...([true, false] as const).map(
      (pause): Route => ({
        method: 'POST',
        path: `/account/codes/:code/${pause ? 'pause' : 'resume'}`,
        who: 'signed-in',
        answer: async (context, params) => {
          const named = parseCode(params['code']);
          const { code, status } = await qrs.setPaused(context.session.account.id, named, pause);
          const done = { paused: 'paused', active: 'resumed', blocked: undefined }[status];
          return redirectTo(context, pathOfCode(code, spanOf(context.url), done));
        },
      }),
    ),
  ];
}

/** A host with a domain, perhaps with a port, and whatever follows: an address that lacks its scheme. */
const withoutScheme = /^[^\s/?#:@.]+(\.[^\s/?#:@.]+)+(:\d+)?([/?#]|$)/;

function withScheme(typed: string): string {
  return withoutScheme.test(typed) ? `https://${typed}` : typed;
}

// What is wrong with the destination or the design is told beside the field; the rest is a page.
const told = new Set(['invalid_url', 'unsafe_url', 'design_unreadable']);

async function orRefusal(
  act: () => Promise<Response>,
  refuse: (error: ApiError) => Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError && told.has(error.code)) return refuse(error);
    throw error;
  }
}
