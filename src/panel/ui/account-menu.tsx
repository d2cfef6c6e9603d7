/** @jsxImportSource preact */
import type { Account } from '../../core/accounts/account.ts';
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
      {first.toUpperCase()}
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
      <Link to="/account/keys" data-dialog data-shortcut="?" icon="keyboard">
        {t.pages.keys}
      </Link>
      <PostButton to="/account/sign-out" class="" icon="signOut">
        {t.signIn.signOut}
      </PostButton>
    </>
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
