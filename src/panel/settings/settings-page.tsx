/** @jsxImportSource preact */
import { type Account, hasActivePlan } from '../../core/accounts/account.ts';
import { minPasswordLength } from '../../core/accounts/password.ts';
import { sessionIdleLimitMs, sessionMaxAgeMs } from '../../core/accounts/session.ts';
import { Day } from '../ui/moment.tsx';
import { Field, Form, Notice, Username } from '../ui/parts.tsx';

/** Where the form goes that changes the password. */
export const passwordPath = '/account/settings/password';

interface SettingsProps {
  readonly account: Account;
  readonly nowMs: number;
  readonly done: string | null;
  readonly refused?: { readonly field: 'present' | 'next'; readonly problem: string };
}

export function SettingsPage({ account, nowMs, done, refused }: SettingsProps) {
  const problemOf = (field: 'present' | 'next') =>
    refused?.field === field ? refused.problem : null;
  return (
    <>
      <h1>Settings</h1>
      {done !== null && <Notice kind="good" title={done} />}
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>{account.email}</dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            {account.planUntilMs === null ? (
              'Without end'
            ) : (
              <>
                {hasActivePlan(account, nowMs) ? 'Until' : 'Ended on'}{' '}
                <Day ms={account.planUntilMs} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Day ms={account.createdAtMs} />
          </dd>
        </div>
      </dl>
      <div class="columns">
        <section class="card">
          <h2>Change the password</h2>
          <Form to={passwordPath} class="stack">
            <Username email={account.email} />
            <Field
              id="present"
              label="Current password"
              problem={problemOf('present')}
              input={{ type: 'password', autocomplete: 'current-password', required: true }}
            />
            <Field
              id="next"
              label="New password"
              problem={problemOf('next')}
              hint={`At least ${minPasswordLength} characters.`}
              input={{
                type: 'password',
                autocomplete: 'new-password',
                minLength: minPasswordLength,
                required: true,
              }}
            />
            <button type="submit">Change the password</button>
            <p class="hint">You stay signed in here and are signed out everywhere else.</p>
          </Form>
        </section>
        <section class="card">
          <h2>Sign out</h2>
          <p>
            A session ends by itself after {sessionIdleLimitMs / 3_600_000} hours without use, and
            after {sessionMaxAgeMs / 86_400_000} days in any case.
          </p>
          <div class="row">
            <Form to="/account/sign-out">
              <button type="submit" class="quiet">
                Sign out here
              </button>
            </Form>
            <Form to="/account/sign-out-everywhere">
              <button type="submit" class="quiet">
                Sign out everywhere
              </button>
            </Form>
          </div>
        </section>
      </div>
    </>
  );
}
