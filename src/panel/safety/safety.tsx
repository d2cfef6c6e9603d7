/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { ReputationStatus } from '../../core/safety/admin.ts';
import type { CheckedCode } from '../../core/safety/ports.ts';
import type { Rule } from '../../core/safety/threat-lists.ts';
import { titleOf } from '../codes/code-label.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { screenImageResponse } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { Address, Facts, Notice, PageHead, Search, Time } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { textField, trimmed, verbatim } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatExpression, formatUrl } from '../ui/formatting.ts';
import { PostButton, Submit, useRequest, useTexts } from '../ui/page-context.tsx';
import { blockForm, CheckedCodeRow, FoundSection } from './lookup.tsx';

// A destination has at most 2,048 characters.
const maxUrlLength = 2100;
// A character outside of ASCII is up to twelve characters of an address. Browsers copy URLs percent-encoded.
const lookedUp = '[ -~]*|.{0,500}';
const maxNoteLength = 200;

const ruleForm = {
  address: textField({
    label: (t) => t.safety.ruleTarget,
    hint: (t) => t.safety.ruleTargetHint,
    parse: trimmed,
    ...verbatim,
    required: true,
    maxLength: maxUrlLength,
    placeholder: 'evil.example',
  }),
  note: textField({
    label: (t) => t.safety.reason,
    isOptional: true,
    parse: (text) => text.trim().slice(0, maxNoteLength),
    maxLength: maxNoteLength,
  }),
};

/** Creates the routes with which operators manage dangerous destinations. */
export function safetyRoutes({ safety, qrs, pictures }: PanelDeps): Route[] {
  const setBlocked = async (
    context: PersonContext,
    isBlocked: boolean,
    reason: string | null = null,
  ) => {
    const { code = '' } = context.params;
    const by = { kind: 'operator', accountId: context.session.person.id } as const;
    if (!(await safety.setBlocked(by, code, isBlocked, context.nowMs, reason)))
      throw pageNotFound();
    const action = isBlocked ? 'code blocked' : 'code unblocked';
    audit(context, action, { code, ...(reason !== null && { reason }) });
    const kind = isBlocked ? 'codeBlocked' : 'codeUnblocked';
    return redirectTo(context, `/account/safety${context.url.search}`, { kind });
  };
  const showBlock = async (context: PersonContext) => {
    const found = await safety.lookUp(context.params['code'] ?? '');
    if (found.kind !== 'code') throw pageNotFound();
    const { owner, accountId } = found.code;
    const isOwn = accountId === context.session.person.id;
    const { pathname, search } = context.url;
    const t = context.texts.safety;
    return page(
      context,
      t.blockTitle,
      <FormDialog
        title={t.blockQuestion({ code: titleOf(found.code) })}
        form={blockForm}
        to={`${pathname}${search}`}
        back={`/account/safety${search}`}
        button={t.block}
        isDestroying
      >
        <p>{isOwn ? t.blockingOwn : t.blocking({ owner })}</p>
      </FormDialog>,
    );
  };
  /** Answers with the picture of a code of any account. */
  const showPicture = async ({ params, request }: PersonContext) => {
    const found = await safety.lookUp(params['code'] ?? '');
    if (found.kind !== 'code') throw pageNotFound();
    const { accountId, code } = found.code;
    const source = await qrs.imageSource(accountId, code);
    const options = { size: 'small', form: 'design' } as const;
    const { signal } = request;
    return screenImageResponse(await pictures.draw(accountId, source, options, { signal }));
  };
  const show = async (context: PersonContext) => {
    const search = (context.url.searchParams.get('q') ?? '').trim().slice(0, maxUrlLength);
    const { state, rules, flagged, blocked, waiting } = await safety.overview();
    const t = context.texts.safety;
    return page(
      context,
      t.title,
      <>
        <PageHead
          title={t.title}
          text={state.provider === null ? t.checkedLocally : t.checkedRemotely}
        />
        {state.warnings.map((warning) => (
          <Notice key={warning} kind="warn" title={t.needsAttention}>
            {warning}
          </Notice>
        ))}
        <Search
          label={t.lookUpLabel}
          button={t.lookUp}
          value={search}
          maxLength={maxUrlLength}
          pattern={lookedUp}
          title={t.percentEncode}
        />
        {search !== '' && <FoundSection search={search} found={await safety.lookUp(search)} />}
        <div class="split">
          <CheckedCodes title={t.flaggedCodes} codes={flagged}>
            {t.noneFlagged}
          </CheckedCodes>
          <CheckedCodes title={t.blockedCodes} codes={blocked}>
            {t.noneBlocked}
          </CheckedCodes>
        </div>
        <div class="split">
          <Rules rules={rules} />
          <ThreatLists state={state} waiting={waiting} />
        </div>
      </>,
    );
  };

  return [
    operator.get('/account/safety', show),
    operator.get('/account/safety/codes/:code/picture', showPicture),
    operator.get('/account/safety/codes/:code/block', showBlock),
    operator.submit(
      '/account/safety/codes/:code/block',
      { form: blockForm, page: showBlock },
      (context, { reason }) => setBlocked(context, true, reason),
    ),
    operator.post('/account/safety/codes/:code/unblock', (context) => setBlocked(context, false)),
    operator.submit(
      '/account/safety/rules',
      { form: ruleForm, page: show },
      async (context, { address: target, note }, typed) => {
        const decision = typed.text('decision') === 'allow' ? 'allow' : 'block';
        await safety.addRule(decision, target, note);
        audit(context, 'rule added', { decision, target });
        return redirectTo(context, `/account/safety${context.url.search}`, { kind: 'ruleAdded' });
      },
    ),
    operator.post('/account/safety/rules/remove', async (context, form) => {
      const target = form.text('expression');
      await safety.withdrawRule(target);
      audit(context, 'rule removed', { target });
      return redirectTo(context, `/account/safety${context.url.search}`, { kind: 'ruleRemoved' });
    }),
  ];
}

interface CheckedCodesProps {
  readonly title: string;
  readonly codes: readonly CheckedCode[];
  /** Shown if there are no codes. */
  readonly children: string;
}

function CheckedCodes({ title, codes, children }: CheckedCodesProps) {
  return (
    <Card title={title}>
      {codes.length === 0 ? (
        <p class="hint">{children}</p>
      ) : (
        <ul class="list">
          {codes.map((code) => (
            <CheckedCodeRow key={code.code} checked={code} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  // With what was looked up.
  const { search } = useRequest().url;
  const t = useTexts().safety;
  return (
    <Card title={t.yourRules}>
      {rules.length > 0 && (
        <ul class="list">
          {rules.map(({ decision, expression, addedAtMs, note }) => (
            <li key={expression}>
              <div>
                <div>
                  <b>{decision === 'block' ? t.block : t.allow}</b>{' '}
                  <Address url={formatExpression(expression)} />
                </div>
                <span class="hint">
                  {t.addedOn({ date: <Time ms={addedAtMs} /> })}
                  {note !== '' && ` · ${note}`}
                </span>
              </div>
              <PostButton
                to={`/account/safety/rules/remove${search}`}
                values={{ expression }}
                class="button"
                aria-label={t.removeRule({ rule: formatUrl(formatExpression(expression)) })}
              >
                {t.remove}
              </PostButton>
            </li>
          ))}
        </ul>
      )}
      <FormView form={ruleForm} to={`/account/safety/rules${search}`} class="stack">
        <div class="row">
          <Submit name="decision" value="block">
            {t.addBlockRule}
          </Submit>
          <Submit class="button" name="decision" value="allow">
            {t.addAllowRule}
          </Submit>
        </div>
      </FormView>
    </Card>
  );
}

interface ThreatListsProps {
  readonly state: ReputationStatus;
  /** Number of codes in the re-check queue. */
  readonly waiting: number;
}

function ThreatLists({ state, waiting }: ThreatListsProps) {
  const { safety: t, formats } = useTexts();
  return (
    <Card title={t.threatLists}>
      {state.lists.length === 0 ? (
        <p class="hint">{t.noList<ComponentChildren>({ code: (text) => <code>{text}</code> })}</p>
      ) : (
        <ul class="list">
          {state.lists.map(({ source, entries, importedAtMs }) => (
            <li key={source}>
              <span>{source}</span>
              <span class="hint">{t.entries({ entries, date: <Time ms={importedAtMs} /> })}</span>
            </li>
          ))}
        </ul>
      )}
      <Facts
        of={{
          [t.remoteCheck]: state.provider ?? t.noProvider,
          [t.toRecheck]: state.isRecheckDue ? t.allToRecheck : formats.number(waiting),
        }}
      />
    </Card>
  );
}
