/** @jsxImportSource preact */
import type { Advice, Design, Logo } from '../../core/designs/design.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { fragment, page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { type DesignProblems, fieldsOf, type RefusedColors, readDesign } from './design-form.ts';
import { DesignPage } from './design-page.tsx';
import { Preview } from './preview.tsx';

interface Draft {
  readonly design: Design;
  readonly draftLogo: Logo | null;
  readonly problems: DesignProblems;
  readonly typed: RefusedColors;
}

function refused({ problems }: Draft): boolean {
  return Object.keys(problems).length > 0;
}

/** The design that the account's next codes get. */
export function designRoutes({ designs }: PanelDeps): Route[] {
  const previewOf = async ({ design, draftLogo, problems }: Draft) => {
    const rendered = await designs.preview(design);
    const changes: Advice['changes'] = rendered.readability.advice?.changes ?? {};
    return { rendered, draftLogo, problems, advised: fieldsOf(changes) };
  };

  const show = async (context: SignedInContext, draft: Draft, kept: boolean) => {
    const saved = kept && context.url.searchParams.get('done') === 'saved';
    return page(
      context,
      { title: 'Design', section: 'design', status: refused(draft) ? 422 : 200 },
      <DesignPage
        design={draft.design}
        typed={draft.typed}
        done={saved ? 'The design is saved. Your next codes get it.' : null}
        kept={kept}
        {...(await previewOf(draft))}
      />,
    );
  };

  const advised = async (draft: Draft): Promise<Draft> => {
    const { advice } = (await designs.preview(draft.design)).readability;
    const { logo } = draft.problems;
    return {
      ...draft,
      design: { ...draft.design, ...advice?.changes },
      // The advice is for the picture: whoever takes it takes the colours of that.
      problems: logo === undefined ? {} : { logo },
      typed: {},
    };
  };

  return [
    {
      method: 'GET',
      path: '/account/design',
      who: 'signed-in',
      answer: async (context) => {
        const design = await designs.find(context.session.account.id);
        return show(context, { design, draftLogo: null, problems: {}, typed: {} }, true);
      },
    },
    {
      method: 'POST',
      path: '/account/design',
      who: 'signed-in',
      answer: async (context, _params, form) => {
        const accountId = context.session.account.id;
        const draft = await readDesign(form, await designs.find(accountId), designs.normalizeLogo);
        const asked = form.text('do');
        if (asked === 'fragment')
          return fragment(<Preview {...(await previewOf(draft))} kept={false} />);
        if (asked === 'advice') return show(context, await advised(draft), false);
        if (asked !== 'save' || refused(draft)) return show(context, draft, false);
        await designs.save(accountId, draft.design);
        return redirectTo(context, '/account/design?done=saved');
      },
    },
  ];
}
