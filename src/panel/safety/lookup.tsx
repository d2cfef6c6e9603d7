/** @jsxImportSource preact */
import type { Explanation, LookupResult } from '../../core/safety/admin.ts';
import type { CheckedCode } from '../../core/safety/ports.ts';
import { CodeTags } from '../codes/code-label.tsx';
import { Address, Time } from '../ui/components.tsx';
import { formatDateTime, formatExpression, formatListName, formatUrl } from '../ui/formatting.ts';
import { PostButton } from '../ui/page-context.tsx';

/** The result of looking up a code or URL. */
export function FoundSection({ search, found }: { search: string; found: LookupResult }) {
  if (found.kind === 'nothing')
    return (
      <section class="card pad stack tight">
        <h2>No code found</h2>
        <p>There is no code “{search}”.</p>
      </section>
    );
  return (
    <section class="card pad stack tight highlight" aria-labelledby="found-title">
      {found.kind === 'code' ? (
        <>
          <h2 id="found-title">Code found</h2>
          <ul class="list">
            <CheckedCodeRow checked={found.code} />
          </ul>
        </>
      ) : (
        <UrlExplanation url={search} explanation={found.explanation} />
      )}
    </section>
  );
}

const verdicts: Record<Explanation['verdict'], string> = {
  flagged: 'would be rejected',
  allowed: 'is allowed by your rules',
  'not flagged': 'is not flagged',
};

function UrlExplanation({ url, explanation }: { url: string; explanation: Explanation }) {
  const { verdict, decidedBy, matches, provider } = explanation;
  const [match] = matches;
  return (
    <>
      <h2 id="found-title">
        {formatUrl(url)} {verdicts[verdict]}
      </h2>
      <p>
        {decidedBy === null
          ? 'It matches no rule and no list.'
          : `Decided by ${formatListName(decidedBy)}`}
        {match !== undefined && `: “${formatUrl(formatExpression(match.expression))}”`}
      </p>
      {provider?.failure && <p class="hint">{provider.failure}</p>}
    </>
  );
}

/** A code with its owner and flag, and a button to block or unblock it. */
export function CheckedCodeRow({ checked }: { checked: CheckedCode }) {
  const { code, destination, owner, status, flag } = checked;
  const isBlocked = status === 'blocked';
  return (
    <li>
      <div>
        <span>
          <span class="code-name">{code}</span>
          <CodeTags qr={checked} />
        </span>
        <Address url={destination} />
        <span class="hint">{owner}</span>
        {flag !== null && (
          <span class="hint">
            flagged by {formatListName(flag.list)} as “
            {formatUrl(formatExpression(flag.expression))}” since{' '}
            <Time ms={flag.sinceMs} format={formatDateTime} />
          </span>
        )}
      </div>
      <PostButton
        to={`/account/safety/codes/${encodeURIComponent(code)}/${isBlocked ? 'unblock' : 'block'}`}
        class={isBlocked ? 'button small' : 'button small danger'}
        aria-label={`${isBlocked ? 'Unblock' : 'Block'} ${code}`}
      >
        {isBlocked ? 'Unblock' : 'Block'}
      </PostButton>
    </li>
  );
}
