/** @jsxImportSource preact */
import { minPasswordLength } from '../../core/accounts/password.ts';
import { Field, Form, Notice, Username } from '../ui/parts.tsx';

interface SignInProps {
  readonly next: string;
  readonly email?: string;
  readonly problem?: string | null;
  readonly signedOut?: boolean;
  /** Whether a form came too late, from a session that had ended. */
  readonly ended?: boolean;
  /** Whether there is no account yet. */
  readonly first?: boolean;
}

export function SignInPage(props: SignInProps) {
  const {
    next,
    email = '',
    problem = null,
    signedOut = false,
    ended = false,
    first = false,
  } = props;
  return (
    <section class="card narrow">
      <h1>Sign in</h1>
      <p class="lead">Your codes, their design and your API key.</p>
      {signedOut && <Notice kind="good" title="You are signed out." />}
      {ended && (
        <Notice kind="warning" title="Your session has ended">
          Nothing was changed. Sign in and fill in the form again.
        </Notice>
      )}
      {first && (
        <Notice kind="warning" title="There is no account yet">
          The newest link for making the first one stands in the log of this server.
        </Notice>
      )}
      {problem !== null && <Notice kind="bad" title={problem} />}
      <Form to="/account/sign-in" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field
          id="email"
          label="E-mail"
          input={{
            type: 'email',
            value: email,
            autocomplete: 'username',
            required: true,
            autofocus: email === '',
          }}
        />
        <Field
          id="password"
          label="Password"
          input={{
            type: 'password',
            autocomplete: 'current-password',
            required: true,
            autofocus: email !== '',
          }}
        />
        <button type="submit">Sign in</button>
      </Form>
      <p class="hint">
        Forgot the password? The operator of this server can hand you a link to set a new one.
      </p>
    </section>
  );
}

interface LinkPageProps {
  readonly token: string;
  /** E-mail of the account, or null where the first account is made. */
  readonly email: string | null;
  readonly typedEmail?: string;
  readonly refused?: { readonly field: 'email' | 'password'; readonly message: string };
}

/** Where a one-time link leads: a password is set, and for the first account an e-mail chosen. */
export function LinkPage({ token, email, typedEmail = '', refused }: LinkPageProps) {
  const problemOf = (field: 'email' | 'password') =>
    refused?.field === field ? refused.message : null;
  const first = email === null;
  return (
    <section class="card narrow">
      <h1>{first ? 'Welcome to Waymark' : 'Set your password'}</h1>
      <p class="lead">
        {first
          ? 'Make the first account. It is the operator: it can create accounts for others.'
          : `For ${email}. Afterwards you are signed in here, and signed out everywhere else.`}
      </p>
      <Form to={`/account/link/${token}`} class="stack">
        {first ? (
          <Field
            id="email"
            label="E-mail"
            hint="You sign in with it. No mail is sent."
            problem={problemOf('email')}
            input={{
              type: 'email',
              value: typedEmail,
              autocomplete: 'username',
              required: true,
              autofocus: typedEmail === '',
            }}
          />
        ) : (
          <Username email={email} />
        )}
        <Field
          id="password"
          label="Password"
          hint={`At least ${minPasswordLength} characters. A few unrelated words are easy to keep in mind.`}
          problem={problemOf('password')}
          input={{
            type: 'password',
            autocomplete: 'new-password',
            minLength: minPasswordLength,
            required: true,
            autofocus: !first,
          }}
        />
        <button type="submit">{first ? 'Make the account' : 'Set the password'}</button>
      </Form>
    </section>
  );
}
