/** @jsxImportSource preact */
import type { Account } from '../../core/account.ts';
import { shortestPassword } from '../../core/password.ts';
import { dayText } from '../words.ts';
import { Field, Form, Notice } from './parts.tsx';

interface SettingsProps {
  readonly account: Account;
  readonly done: string | null;
  readonly problem?: string | null;
}

export function SettingsPage({ account, done, problem = null }: SettingsProps) {
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
            {account.planUntilMs === null
              ? 'Without end'
              : `Until the end of ${dayText(account.planUntilMs)} (UTC)`}
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>{dayText(account.createdAtMs)}</dd>
        </div>
      </dl>
      <div class="columns">
        <section class="card">
          <h2>Change the password</h2>
          {problem !== null && <Notice kind="bad" title={problem} />}
          <Form to="/account/settings/password" class="stack">
            <input type="hidden" name="username" value={account.email} autocomplete="username" />
            <Field
              id="present"
              label="Present password"
              input={{ type: 'password', autocomplete: 'current-password', required: true }}
            />
            <Field
              id="next"
              label="New password"
              hint={`At least ${shortestPassword} characters.`}
              input={{
                type: 'password',
                autocomplete: 'new-password',
                minLength: shortestPassword,
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
            A session ends by itself after twelve hours without use, and after thirty days in any
            case.
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
