/** @jsxImportSource preact */

import { type Language, languages } from '../../languages/languages.ts';
import { languageOf, languageTags, preferredLanguage } from '../../languages/negotiation.ts';
import type { PanelDeps } from '../request/deps.ts';
import { ownPath } from '../request/own-path.ts';
import type { RequestContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { languagePath as path } from '../ui/account-menu.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { choiceField, hiddenField, parseChoice } from '../ui/fields.tsx';
import { Setting } from '../ui/groups.tsx';
import { ButtonLink, useRequest, useTexts } from '../ui/page-context.tsx';

/** Creates the routes of the dialog that chooses the language, also before signing in. */
export function languageRoutes({ accounts }: Pick<PanelDeps, 'accounts'>): Route[] {
  const show = async (context: RequestContext) =>
    page(context, context.texts.language.title, <LanguageDialog />);
  return [
    anyone.get(path, show),
    anyone.submit(
      path,
      { form: async (context) => languageForm(context), page: show },
      async (context, { language, next }) => {
        if (context.session !== null)
          await accounts.changeLanguage(context.session.person.id, language);
        // The pages before signing in keep it too.
        const preference = ['language', language ?? ''] as const;
        return redirectTo(context, next, { kind: 'languageChanged' }, { preference });
      },
    ),
  ];
}

function languageForm({ request }: RequestContext) {
  const browsers = languages[preferredLanguage(request.headers.get('accept-language'))].name;
  return {
    language: choiceField({
      label: (t) => t.language.title,
      isLabelHidden: true,
      isShort: true,
      choices: [
        { value: '', title: (t) => t.language.asBrowser({ language: browsers }) },
        ...languageTags.map((tag) => ({ value: tag, title: languages[tag].name, lang: tag })),
      ],
      parse: (text) => parseChoice(text, languageTags, null),
    }),
    next: hiddenField(ownPath),
  };
}

function LanguageDialog() {
  const context = useRequest();
  const t = useTexts();
  const next = ownPath(context.url.searchParams.get('next'));
  return (
    <FormDialog
      title={t.language.title}
      form={languageForm(context)}
      to={path}
      target="_self"
      values={{ language: chosenLanguage(context) ?? '', next }}
      back={next}
      button={t.language.change}
      after={<p class="small soft">{t.language.whatStays}</p>}
    />
  );
}

/** Returns the language that a person, or a browser, has chosen; null for that of the browser. */
function chosenLanguage({ session, preferences }: RequestContext): Language | null {
  return languageOf(session?.person.language ?? null) ?? languageOf(preferences.language);
}

/** Renders the line of the settings about the language. */
export function LanguageSetting() {
  const { language } = useRequest();
  const t = useTexts();
  return (
    <Setting name={t.language.title} id="language" text={languages[language].name}>
      <ButtonLink
        to={`${path}?next=/account/settings`}
        class="button small"
        aria-label={t.language.change}
        data-dialog
      >
        {t.common.change}
      </ButtonLink>
    </Setting>
  );
}

/**
 * Gives a person the language that was chosen before signing in, at the first sign-in.
 * One that was chosen in the account stays.
 */
export async function adoptLanguage(
  { accounts, sessions }: Pick<PanelDeps, 'accounts' | 'sessions'>,
  { preferences }: RequestContext,
  token: string,
): Promise<void> {
  const language = languageOf(preferences.language);
  const person = language === null ? undefined : (await sessions.find(token))?.person;
  if (person === undefined || person.language !== null) return;
  await accounts.changeLanguage(person.id, language);
}
