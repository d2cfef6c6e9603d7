/** @jsxImportSource preact */
import { mapLabels, textLabels } from '../../core/codes/fields.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import type { FormerDestination } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { ScheduledChange } from '../../core/codes/schedule/change.ts';
import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import type { ShownPausedTexts } from '../../core/labels.ts';
import { Crumb } from '../ui/cards.tsx';
import { Menu, Notice, PageHead, Time } from '../ui/components.tsx';
import { ReadyDialog } from '../ui/dialog.tsx';
import { flaggedBy, formatDateTime, formatExpression, formatUrl } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import {
  ButtonLink,
  Link,
  PostButton,
  TextLink,
  useHasActivePlan,
  useMayEdit,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';
import { PhonePreview } from '../ui/phone-preview.tsx';
import { Goes, ReachNotice } from './code-destination.tsx';
import { DestinationDialog, PauseDialog } from './code-dialogs.tsx';
import { CodeImage, NoImage } from './code-image.tsx';
import { CodeTags, codePath, domainOf, otherDomainOf, titleOf } from './code-label.tsx';
import { pathOfFolder } from './folders/folders.tsx';
import type { ChartPeriod } from './scans/chart-period.tsx';
import { CodeScans } from './scans/code-scans.tsx';
import { planPathOf, ScheduleCard } from './schedule/schedule-list.tsx';

interface CodeProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  /** Destinations that are one click away. */
  readonly usedBefore: readonly FormerDestination[];
  readonly period: ChartPeriod;
  readonly blockReason: string | null;
  /** The next one first. */
  readonly planned: readonly ScheduledChange[];
  /** What its page says; null unless it is paused. */
  readonly pausedTexts: ShownPausedTexts | null;
  /** Identifies the form that creates a copy. */
  readonly attempt: string;
  readonly domains: DomainChoices;
}

/** Renders the page of a code: its picture, where it leads and how often it was scanned. */
export function CodePage(props: CodeProps) {
  const t = useTexts();
  const { qr, insight, blockReason, planned, pausedTexts } = props;
  const isPaused = qr.status === 'paused';
  const mayEdit = useMayEdit();
  const other = otherDomainOf(qr, useRequest().shortUrl);
  return (
    <>
      <Crumb
        above={[
          ['/account/codes', t.common.codes],
          ...(qr.folder === null ? [] : [[pathOfFolder(qr.folder), qr.folder] as const]),
        ]}
      >
        {titleOf(qr)}
      </Crumb>
      <PageHead
        title={<bdi>{titleOf(qr)}</bdi>}
        beside={
          <>
            {qr.status === 'active' && qr.flag === null && (
              <span class="pill good">{t.codeState.active}</span>
            )}
            <CodeTags qr={qr} />
            {other !== null && (
              <span class="pill plain">
                <bdi>{other}</bdi>
              </span>
            )}
            {!mayEdit && <span class="pill plain">{t.roles.name({ role: 'viewer' })}</span>}
          </>
        }
      >
        <a class="button compact-hide" href={qr.shortLink} rel="noreferrer">
          {t.code.testScan}
        </a>
        {qr.status === 'active' && (
          <Link class="button" to={`${codePath(qr.code)}/pause`} data-dialog>
            {t.code.pause}
          </Link>
        )}
        {mayEdit && <ReadyDialogs {...props} />}
        {mayEdit ? (
          <Menu id="code-menu" label={t.common.actionsFor({ name: titleOf(qr) })}>
            <CodeMenu {...props} />
          </Menu>
        ) : (
          <PrintLink qr={qr} />
        )}
      </PageHead>
      {textLabels
        .filter((name) => !['name', 'folder', 'path'].includes(name) && qr[name] !== null)
        .map((name) => (
          <p key={name} class="soft code-note">
            <bdi>{qr[name]}</bdi>
          </p>
        ))}
      {qr.status === 'blocked' && (
        <Notice kind="bad" title={t.code.blocked}>
          {blockReason === null
            ? t.code.blockedWithoutReason
            : t.code.blockedBecause({ reason: <bdi>{blockReason}</bdi> })}
        </Notice>
      )}
      {isPaused && (
        <Notice
          kind="warn"
          title={t.code.isPaused}
          action={
            <PostButton to={`${codePath(qr.code)}/resume`} class="button small">
              {t.code.resume}
            </PostButton>
          }
        >
          {t.code.scansNotCounted}
        </Notice>
      )}
      {qr.isArchived && <p class="soft">{t.code.isArchived}</p>}
      {qr.flag !== null && (
        <Notice kind="bad" title={t.code.isFlagged}>
          {t.code.flaggedBy({
            ...flaggedBy(qr.flag.list),
            expression: formatUrl(formatExpression(qr.flag.expression)),
            time: <Time ms={qr.flag.sinceMs} format={formatDateTime} />,
          })}
        </Notice>
      )}
      <ReachNotice {...qr} />
      <div class="code">
        <div class="side">
          {pausedTexts !== null && <PausedCard qr={qr} texts={pausedTexts} />}
          <Goes qr={qr} insight={insight} planned={planned} />
          <ScheduleCard qr={qr} planned={planned} />
          <CodeScans {...props} />
        </div>
        {qr.image === null ? <NoImage qr={qr} /> : <CodeImage qr={qr} print={insight.print} />}
      </div>
    </>
  );
}

/** The dialogs that open most, so that they open at once. */
function ReadyDialogs({ qr, usedBefore }: CodeProps) {
  const path = codePath(qr.code);
  return (
    <>
      {useHasActivePlan() && (
        <ReadyDialog of={`${path}/destination`}>
          <DestinationDialog qr={qr} former={usedBefore} />
        </ReadyDialog>
      )}
      {qr.status === 'active' && (
        <ReadyDialog of={`${path}/pause`}>
          <PauseDialog qr={qr} />
        </ReadyDialog>
      )}
    </>
  );
}

interface PausedCardProps {
  readonly qr: Qr;
  readonly texts: ShownPausedTexts;
}

/** Shows what visitors see of a paused code, with the way to change its message. */
function PausedCard({ qr, texts }: PausedCardProps) {
  const { pausedMessage, isOwnMessage } = texts;
  const t = useTexts().code;
  const from = {
    settings: (text: string) => <TextLink to="/account/settings">{text}</TextLink>,
  };
  return (
    <section class="card pad visitors" aria-label={t.visitorsSee}>
      <div class="stack tight">
        <h2 class="label">{t.visitorsSee}</h2>
        {pausedMessage !== null && (
          <p class="message" dir="auto">
            {pausedMessage}
          </p>
        )}
        <p class="small soft">
          {pausedMessage === null
            ? t.noMessage(from)
            : isOwnMessage
              ? t.ownMessage(from)
              : t.messageOfSettings(from)}
        </p>
        <div class="row">
          <Link class="button primary" to={`${codePath(qr.code)}/message`} data-dialog>
            {t.changeMessage}
          </Link>
          <a class="button" href={qr.shortLink} rel="noreferrer">
            {t.seePage}
            <Icon name="open" />
          </a>
        </div>
      </div>
      <PhonePreview
        businessName={texts.businessName ?? ''}
        pausedMessage={pausedMessage ?? ''}
        pausedLink={texts.pausedLink ?? ''}
      />
    </section>
  );
}

function PrintLink({ qr, ...rest }: { qr: Qr; class?: string }) {
  const t = useTexts().code;
  if (qr.image === null) return null;
  return (
    <ButtonLink
      to={`/account/print?${new URLSearchParams({ code: qr.code })}`}
      icon="print"
      {...rest}
    >
      {t.print}
    </ButtonLink>
  );
}

function CodeMenu({ qr, attempt, domains }: CodeProps) {
  const path = codePath(qr.code);
  const hasActivePlan = useHasActivePlan();
  const t = useTexts();
  const domain = domains.urls.find((url) => domainOf({ shortLink: url }) === domainOf(qr));
  // Only one code can have the path.
  const { path: _, ...labels } = mapLabels((name) => qr[name] ?? '');
  return (
    <>
      <Link to={`${path}/labels`} data-dialog icon="edit">
        {t.labels.menu}
      </Link>
      <Link to={planPathOf(qr.code)} data-dialog icon="clock">
        {t.code.planMenu}
      </Link>
      {hasActivePlan && (
        <PostButton
          to="/account/codes"
          values={{
            attempt,
            url: qr.destination,
            ...labels,
            domain: domain ?? '',
          }}
          class=""
          icon="copy"
        >
          {t.code.duplicate}
        </PostButton>
      )}
      <PrintLink qr={qr} class="" />
      <PostButton to={`${path}/${qr.isArchived ? 'unarchive' : 'archive'}`} class="" icon="archive">
        {qr.isArchived ? t.code.unarchive : t.code.archive}
      </PostButton>
    </>
  );
}
