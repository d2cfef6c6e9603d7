/** @jsxImportSource preact */
import { truncateUrl } from '../../core/codes/destination.ts';
import type { Explanation, LookupResult, ReviewedCode } from '../../core/safety/admin.ts';
import { flagSource } from '../../core/safety/flag.ts';
import { CodeTags } from '../codes/code-tags.tsx';
import { addressText, hostOrPath, unturned } from '../ui/formatting.ts';
import { Minute } from '../ui/moment.tsx';
import { Address, Form } from '../ui/parts.tsx';

/** What there is to say of a code or an address that was looked up. */
export function Found({ asked, found }: { asked: string; found: LookupResult }) {
  if (found.kind === 'nothing')
    return (
      <section class="empty">
        <h2>Nothing found</h2>
        <p>There is no code “{asked}”.</p>
      </section>
    );
  return (
    <section class="card fresh" aria-labelledby="found-title">
      {found.kind === 'code' ? (
        <>
          <h2 id="found-title">The code you looked up</h2>
          <ul class="rows">
            <WatchedRow code={found.code} />
          </ul>
        </>
      ) : (
        <Explained asked={asked} explanation={found.explanation} />
      )}
    </section>
  );
}

const verdicts: Record<Explanation['verdict'], string> = {
  flagged: 'would be refused',
  allowed: 'is allowed by your rules',
  'not flagged': 'is not flagged',
};

function Explained({ asked, explanation }: { asked: string; explanation: Explanation }) {
  const { verdict, decidedBy, matches, provider } = explanation;
  const isLong = truncateUrl(asked) !== null;
  return (
    <>
      <h2 id="found-title" class="long">
        {isLong ? 'This address' : unturned(asked)} {verdicts[verdict]}
      </h2>
      {isLong && <Address text={asked} />}
      {matches.length > 0 && (
        <ul class="rows">
          {matches.map(({ list, decision, expression, sinceMs }) => (
            <li key={`${list} ${expression}`}>
              <div>
                <Address text={hostOrPath(expression)} />
                <span class="list-note">
                  {decision === 'allow' ? 'allowed' : 'blocked'} by {nameOf(list)}
                  {sinceMs !== null && (
                    <>
                      {' since '}
                      <Minute ms={sinceMs} />
                    </>
                  )}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {matches.length === 0 && decidedBy === null && (
        <p class="hint">Neither your rules nor a list speak of it.</p>
      )}
      {provider !== null && (
        <p class="hint">
          {provider.failure ??
            `${provider.name} ${decidedBy === provider.name ? 'flags it' : 'was asked too'}.`}
        </p>
      )}
    </>
  );
}

function nameOf(list: string): string {
  return {
    operator: 'your rules',
    'built-in': 'the built-in test addresses',
    'remote check': `the remote check “${list}”`,
    'imported list': `the list “${list}”`,
  }[flagSource(list)];
}

/** One code with what stops it, and a button for the operator. */
export function WatchedRow({ code: watched }: { code: ReviewedCode }) {
  const { code, destination, owner, status, flag } = watched;
  const blocked = status === 'blocked';
  return (
    <li>
      <div>
        <span>
          <span class="code-name">{code}</span>
          <CodeTags status={status} flagged={flag !== null} />
        </span>
        <Address text={destination} />
        <span class="list-note">{owner}</span>
        {flag !== null && (
          <span class="list-note">
            flagged by {nameOf(flag.list)} as “{addressText(hostOrPath(flag.expression))}” since{' '}
            <Minute ms={flag.sinceMs} />
          </span>
        )}
      </div>
      <Form to={`/account/safety/codes/${code}/${blocked ? 'unblock' : 'block'}`}>
        <button
          type="submit"
          class={blocked ? 'quiet' : 'danger'}
          aria-label={`${blocked ? 'Unblock' : 'Block'} ${code}`}
        >
          {blocked ? 'Unblock' : 'Block'}
        </button>
      </Form>
    </li>
  );
}
