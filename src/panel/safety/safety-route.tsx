/** @jsxImportSource preact */
import type { PanelDeps } from '../deps.ts';
import { pageNotFound } from '../routing/errors.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { type RefusedRule, SafetyPage } from './safety-page.tsx';

// A destination has at most 2,048 characters.
const longestText = 2100;
const longestNote = 200;

/** What operators do about dangerous destinations. */
export function safetyRoutes({ safety }: PanelDeps): Route[] {
  const show = async (context: SignedInContext, refused: RefusedRule | null = null) => {
    const query = context.url.searchParams;
    const asked = (query.get('q') ?? '').trim().slice(0, longestText);
    return page(
      context,
      {
        title: asked === '' ? 'Safety' : `Safety: ${asked}`,
        section: 'safety',
        status: refused === null ? 200 : 422,
      },
      <SafetyPage
        {...(await safety.overview())}
        asked={asked}
        found={asked === '' ? null : await safety.lookUp(asked)}
        done={doneTexts[query.get('done') ?? ''] ?? null}
        refused={refused}
      />,
    );
  };

  return [
    {
      method: 'GET',
      path: '/account/safety',
      who: 'operator',
      answer: (context) => show(context),
    },
    ...([true, false] as const).map(
      (block): Route => ({
        method: 'POST',
        path: `/account/safety/codes/:code/${block ? 'block' : 'unblock'}`,
        who: 'operator',
        answer: async (context, params) => {
          if (!(await safety.setBlocked(params['code'], block))) throw pageNotFound();
          return redirectTo(context, `/account/safety?done=${block ? 'blocked' : 'unblocked'}`);
        },
      }),
    ),
    {
      method: 'POST',
      path: '/account/safety/rules',
      who: 'operator',
      answer: async (context, _params, form) => {
        const text = form.text('address').trim().slice(0, longestText);
        const note = form.text('note').trim().slice(0, longestNote);
        const decision = form.text('decision') === 'allow' ? 'allow' : 'block';
        const problem = await safety.addRule(decision, text, note);
        if (problem !== null) return show(context, { decision, text, note, problem });
        return redirectTo(context, '/account/safety?done=ruled');
      },
    },
    {
      method: 'POST',
      path: '/account/safety/rules/withdraw',
      who: 'operator',
      answer: async (context, _params, form) => {
        await safety.withdrawRule(form.text('expression'));
        return redirectTo(context, '/account/safety?done=withdrawn');
      },
    },
  ];
}

const again = 'Within seconds we begin to look at all codes again.';

const doneTexts: Readonly<Record<string, string>> = {
  blocked: 'The code is blocked. Whoever scans it sees a page that says so.',
  unblocked: 'The code is no longer blocked.',
  ruled: `It counts from now on. ${again}`,
  withdrawn: `The lists decide again. ${again}`,
};
