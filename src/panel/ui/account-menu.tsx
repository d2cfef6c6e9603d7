/** @jsxImportSource preact */
import type { Account } from '../../core/accounts/account.ts';
import { languages } from '../../languages/languages.ts';
import { ownPath } from '../request/own-path.ts';
import { Icon } from './icons.tsx';
import { Form, HiddenFields, Link, PostButton, useRequest, useTexts } from './page-context.tsx';

/** Returns what people call an account: the name of the business, or the e-mail address. */
export function accountName({ businessName, email }: Account): string {
  return businessName ?? email;
}

/** Renders the first letter of a name, in a circle. */
export function Avatar({ name }: { name: string }) {
  // By code point: an emoji has two units.
  const [first = ''] = name;
  return (
    <span class="avatar" aria-hidden="true">
      {first.toLocaleUpperCase(useTexts().formats.locale)}
    </span>
  );
}

/** Renders what the menu of the account has: in whose account to work, settings, and the way out. */
export function AccountMenu() {
  const t = useTexts();
  return (
    <>
      <AccountChoices />
      <Link to="/account/settings" icon="settings">
        {t.common.settings}
      </Link>
      <LanguageLink isInMenu />
      <Link to="/account/keys" data-dialog data-shortcut="?" icon="keyboard">
        {t.pages.keys}
      </Link>
      <PostButton to="/account/sign-out" class="" icon="signOut">
        {t.signIn.signOut}
      </PostButton>
    </>
  );
}

/** The path of the dialog that chooses the language. */
export const languagePath = '/account/language';

/** Renders the link that chooses the language, with the name of that of the page. It comes back to the page. */
export function LanguageLink({ isInMenu = false }: { isInMenu?: boolean }) {
  const { language, url } = useRequest();
  const t = useTexts();
  // On its own page, it comes back to where that one does.
  const isHere = url.pathname === languagePath;
  const next = ownPath(isHere ? url.searchParams.get('next') : `${url.pathname}${url.search}`);
  const name = <bdi class="soft">{languages[language].name}</bdi>;
  return (
    <Link
      class="language"
      to={`${languagePath}?next=${encodeURIComponent(next)}`}
      data-dialog
      icon="language"
      aria-label={isInMenu ? undefined : t.language.isNow({ language: languages[language].name })}
    >
      {isInMenu && t.language.title}
      {name}
    </Link>
  );
}

/** Renders the accounts that the person may enter; nothing if it is the own one alone. */
function AccountChoices() {
  const { session, accounts } = useRequest();
  const t = useTexts();
  if (session === null || accounts.length === 0) return null;
  const { person, entered } = session;
  const all = [{ account: person, role: 'owner' as const }, ...accounts];
  return (
    <>
      <h2>{t.accounts.title}</h2>
      {all.map(({ account, role }) => (
        <Form key={account.id} to="/account/enter">
          <HiddenFields values={{ enter: String(account.id) }} />
          <button
            type="submit"
            class="account"
            aria-current={account.id === entered.id ? 'true' : undefined}
          >
            <Avatar name={accountName(account)} />
            <span>
              <bdi>{accountName(account)}</bdi>
              <small>
                {account.id === person.id ? t.accounts.yours : t.roles.name({ role })}
                {account.businessName !== null && [' · ', <bdi key="email">{account.email}</bdi>]}
              </small>
            </span>
            {account.id === entered.id && <Icon name="tick" />}
          </button>
        </Form>
      ))}
      <hr />
    </>
  );
}
