/** @jsxImportSource preact */
import { type Explanation, type LookupResult, parseBlockReason } from '../../core/safety/admin.ts';
import type { CheckedCode } from '../../core/safety/ports.ts';
import { CodeTags, SmallPicture, titleOf } from '../codes/code-label.tsx';
import { Card } from '../ui/cards.tsx';
import { Address, Time } from '../ui/components.tsx';
import { textField } from '../ui/fields.tsx';
import { formatDateTime, formatExpression, formatListName, formatUrl } from '../ui/formatting.ts';
import { Link, PostButton, useRequest } from '../ui/page-context.tsx';

const highlighted = 'card pad stack tight highlight';

/** Renders the result of looking up a code or URL. */
export function FoundSection({ search, found }: { search: string; found: LookupResult }) {
  if (found.kind === 'nothing')
    return (
      <Card title="No code found">
        <p>There is no code “{search}”.</p>
      </Card>
    );
  if (found.kind !== 'code') return <UrlExplanation url={search} explanation={found.explanation} />;
  return (
    <Card isRegion title="Code found" class={highlighted}>
      <ul class="list">
        <CheckedCodeRow checked={found.code} />
      </ul>
    </Card>
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
    <Card isRegion title={`${formatUrl(url)} ${verdicts[verdict]}`} class={highlighted}>
      <p>
        {decidedBy === null
          ? 'It matches no rule and no list.'
          : `Decided by ${formatListName(decidedBy)}`}
        {match !== undefined && `: “${formatUrl(formatExpression(match.expression))}”`}
      </p>
      {provider?.failure && <p class="hint">{provider.failure}</p>}
    </Card>
  );
}

/** Renders a code with its owner and flag, and a button to block or unblock it. */
export function CheckedCodeRow({ checked }: { checked: CheckedCode }) {
  const { code, name, hasImage, destination, owner, status, blockReason, flag } = checked;
  const path = pathOf(code);
  // With what was looked up.
  const { url, session } = useRequest();
  const { search } = url;
  const isOwn = session?.person.id === checked.accountId;
  const isBlocked = status === 'blocked';
  return (
    <li>
      <SmallPicture path={hasImage ? `${path}/picture` : null} />
      <div>
        <span>
          <b>
            <bdi>{titleOf(checked)}</bdi>
          </b>
          <CodeTags qr={checked} />
        </span>
        <Address url={destination} />
        <span class="hint">
          {name !== null && (
            <>
              <span class="code-name">{code}</span>
              {' · '}
            </>
          )}
          {isOwn ? 'your account' : <bdi>{owner}</bdi>}
        </span>
        {blockReason !== null && <span class="hint">blocked: {blockReason}</span>}
        {flag !== null && (
          <span class="hint">
            flagged by {formatListName(flag.list)} as “
            {formatUrl(formatExpression(flag.expression))}” since{' '}
            <Time ms={flag.sinceMs} format={formatDateTime} />
          </span>
        )}
      </div>
      {isBlocked ? (
        <PostButton
          to={`${path}/unblock${search}`}
          class="button small"
          aria-label={`Unblock ${titleOf(checked)}`}
        >
          Unblock
        </PostButton>
      ) : (
        <Link
          class="button small danger"
          to={`${path}/block${search}`}
          aria-label={`Block ${titleOf(checked)}…`}
          data-dialog
        >
          Block…
        </Link>
      )}
    </li>
  );
}

/** The form that blocks a code. */
export const blockForm = {
  reason: textField({
    label: 'Reason (optional)',
    hint: 'The owner of the code reads it. Visitors don’t.',
    parse: parseBlockReason,
    placeholder: 'Leads to a fake bank',
  }),
};

const pathOf = (code: string) => `/account/safety/codes/${encodeURIComponent(code)}`;
