/** @jsxImportSource preact */
import { type Explanation, type LookupResult, parseBlockReason } from '../../core/safety/admin.ts';
import type { CheckedCode } from '../../core/safety/ports.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { CodeTags, SmallPicture, titleOf } from '../codes/code-label.tsx';
import { Card } from '../ui/cards.tsx';
import { Address, Time } from '../ui/components.tsx';
import { textField } from '../ui/fields.tsx';
import { flaggedBy, formatDateTime, formatExpression, formatUrl } from '../ui/formatting.ts';
import { Link, PostButton, useRequest, useTexts } from '../ui/page-context.tsx';

const highlighted = 'card pad stack tight highlight';

/** Renders the result of looking up a code or URL. */
export function FoundSection({ search, found }: { search: string; found: LookupResult }) {
  const t = useTexts().safety;
  if (found.kind === 'nothing')
    return (
      <Card title={t.noCodeFound}>
        <p>{t.noSuchCode({ search })}</p>
      </Card>
    );
  if (found.kind !== 'code') return <UrlExplanation url={search} explanation={found.explanation} />;
  return (
    <Card isRegion title={t.codeFound} class={highlighted}>
      <ul class="list">
        <CheckedCodeRow checked={found.code} />
      </ul>
    </Card>
  );
}

function UrlExplanation({ url, explanation }: { url: string; explanation: Explanation }) {
  const { verdict, decidedBy, matches, provider } = explanation;
  const [match] = matches;
  const t = useTexts().safety;
  const titles: Readonly<Record<Explanation['verdict'], Texts['safety']['isFlagged']>> = {
    flagged: t.isFlagged,
    allowed: t.isAllowed,
    'not flagged': t.isNotFlagged,
  };
  const by = decidedBy === null ? null : flaggedBy(decidedBy);
  return (
    <Card isRegion title={titles[verdict]({ address: formatUrl(url) })} class={highlighted}>
      <p>
        {by === null
          ? t.matchesNothing
          : match === undefined
            ? t.decidedBy(by)
            : t.decidedByAs({ ...by, expression: formatUrl(formatExpression(match.expression)) })}
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
  const t = useTexts().safety;
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
          {isOwn ? t.yourAccount : <bdi>{owner}</bdi>}
        </span>
        {blockReason !== null && (
          <span class="hint">{t.blockedBecause({ reason: blockReason })}</span>
        )}
        {flag !== null && (
          <span class="hint">
            {t.flaggedBy({
              ...flaggedBy(flag.list),
              expression: formatUrl(formatExpression(flag.expression)),
              time: <Time ms={flag.sinceMs} format={formatDateTime} />,
            })}
          </span>
        )}
      </div>
      {isBlocked ? (
        <PostButton
          to={`${path}/unblock${search}`}
          class="button small"
          aria-label={t.unblockCode({ code: titleOf(checked) })}
        >
          {t.unblock}
        </PostButton>
      ) : (
        <Link
          class="button small danger"
          to={`${path}/block${search}`}
          aria-label={t.blockCode({ code: titleOf(checked) })}
          data-dialog
        >
          {t.blockMenu}
        </Link>
      )}
    </li>
  );
}

/** The form that blocks a code. */
export const blockForm = {
  reason: textField({
    label: (t) => t.safety.reason,
    isOptional: true,
    hint: (t) => t.safety.reasonHint,
    parse: parseBlockReason,
    placeholder: (t) => t.safety.reasonExample,
  }),
};

const pathOf = (code: string) => `/account/safety/codes/${encodeURIComponent(code)}`;
