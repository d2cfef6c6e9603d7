/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Qr } from '../../../core/codes/qr.ts';
import type { ReadabilityResult } from '../../../core/designs/design.ts';
import { parseName } from '../../../core/labels.ts';
import { destinationField } from '../../codes/code-forms.ts';
import { codePath, picturePath, titleOf } from '../../codes/code-label.tsx';
import { Image, PageHead, RelativeTime } from '../../ui/components.tsx';
import { hiddenField, nameField } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { formatDestination, formatUrl } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import {
  ButtonLink,
  Link,
  PostButton,
  Submit,
  TextLink,
  useHasActivePlan,
  useRequest,
  useTexts,
} from '../../ui/page-context.tsx';

/** The form of the first code. Sending it twice with the same attempt creates one code. */
export const firstCodeForm = {
  attempt: hiddenField((text) => text),
  url: destinationField((t) => t.firstRun.whereTo),
  name: nameField({
    label: (t) => t.firstRun.codeName,
    isOptional: true,
    parse: parseName,
    placeholder: (t) => t.firstRun.codeNameExample,
  }),
};

interface FirstRunProps {
  /** Identifies the form of the first code. */
  readonly attempt: string;
  /** Readability of the default design; null if the server is too busy to check it. */
  readonly readability: ReadabilityResult | null;
  /** Whether the design was chosen, black on white included. */
  readonly isDesignChosen: boolean;
  /** The code to scan, once there is one. */
  readonly qr: Qr | null;
}

/** Renders the way from a new account to a code that was scanned. */
export function FirstRun({ attempt, readability, isDesignChosen, qr }: FirstRunProps) {
  const t = useTexts();
  const isScanned = (qr?.scans ?? 0) > 0;
  return (
    <>
      <PageHead title={t.firstRun.welcome} text={t.firstRun.threeSteps} />
      <ol class="card steps" data-first={qr !== null && !isScanned ? qr.code : undefined}>
        <DesignStep readability={readability} isDone={isDesignChosen || qr !== null} />
        {qr === null ? (
          <>
            <CreateStep attempt={attempt} isCurrent={isDesignChosen} />
            <Step number={3} state="later" title={t.firstRun.scanIt}>
              <p class="small">{t.firstRun.appearsHere}</p>
            </Step>
          </>
        ) : (
          <>
            <Step
              number={2}
              state="done"
              title={t.firstRun.firstCode}
              action={
                <Link class="button small" to={codePath(qr.code)}>
                  {t.firstRun.openCode}
                </Link>
              }
            >
              <p class="small soft">
                {t.firstRun.codeLeadsTo({ code: <bdi>{titleOf(qr)}</bdi>, address: shown(qr) })}
              </p>
            </Step>
            <ScanStep qr={qr} />
          </>
        )}
      </ol>
    </>
  );
}

interface StepProps {
  readonly number: number;
  readonly state: 'done' | 'current' | 'later';
  readonly title: string;
  readonly children: ComponentChildren;
  /** At the end of the line. */
  readonly action?: ComponentChildren;
}

function Step({ number, state, title, children, action }: StepProps) {
  const t = useTexts();
  return (
    <li class={state} aria-current={state === 'current' ? 'step' : undefined}>
      <StepNumber number={number} isDone={state === 'done'} />
      <div class="body">
        <div>
          <h2>
            {state === 'done'
              ? t.firstRun.stepDone({
                  step: title,
                  hidden: (text) => <span class="hidden">{text}</span>,
                })
              : title}
          </h2>
          {children}
        </div>
        {action}
      </div>
    </li>
  );
}

function StepNumber({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span class="number" aria-hidden="true">
      {isDone ? <Icon name="tick" /> : number}
    </span>
  );
}

interface DesignStepProps extends Pick<FirstRunProps, 'readability'> {
  readonly isDone: boolean;
}

function DesignStep({ readability, isDone }: DesignStepProps) {
  const t = useTexts();
  if (!isDone)
    return (
      <Step
        number={1}
        state="current"
        title={t.firstRun.logoAndColours}
        action={
          <div class="row">
            <ButtonLink to="/account/design">{t.firstRun.openDesign}</ButtonLink>
            <PostButton to="/account/start" values={{ step: 'black' }} class="button plain">
              {t.firstRun.keepBlack}
            </PostButton>
          </div>
        }
      >
        <p class="small soft">{t.firstRun.blackWorks}</p>
      </Step>
    );
  return (
    <Step
      number={1}
      state="done"
      title={t.firstRun.logoAndColours}
      action={
        <Link class="button small" to="/account/design">
          {t.common.change}
        </Link>
      }
    >
      <p class="small soft">
        {readability === null
          ? t.firstRun.nextCodesUseIt
          : readability.isReadable
            ? t.firstRun.readable({ score: readability.score })
            : t.firstRun.unreadable}
      </p>
    </Step>
  );
}

function CreateStep({ attempt, isCurrent }: { attempt: string; isCurrent: boolean }) {
  const { shortUrl } = useRequest();
  const t = useTexts();
  const hasActivePlan = useHasActivePlan();
  return (
    <li aria-current={isCurrent ? 'step' : undefined}>
      <StepNumber number={2} isDone={false} />
      <FormView form={firstCodeForm} to="/account/first" values={{ attempt }} class="body">
        {({ url, name }) => (
          <>
            <div>
              <h2>{t.firstRun.firstCode}</h2>
              <p class="small soft">{t.firstRun.changeAtAnyTime}</p>
            </div>
            <div class="fields fold">
              {url}
              {name}
            </div>
            <div class="row">
              <Submit>{t.firstRun.createCode}</Submit>
              <span class="small soft">
                {hasActivePlan
                  ? t.firstRun.shortLink({ link: `${shortUrl.replace(/^https?:\/\//, '')}/…` })
                  : t.firstRun.needsPlan}
              </span>
            </div>
          </>
        )}
      </FormView>
    </li>
  );
}

/** Renders the code, and whether its first scan has arrived. */
function ScanStep({ qr }: { qr: Qr }) {
  const t = useTexts();
  const isScanned = qr.scans > 0;
  return (
    <li {...(isScanned ? { class: 'done last' } : { 'aria-current': 'step' })}>
      <StepNumber number={3} isDone={isScanned} />
      <div class={isScanned ? 'body whole' : 'body'}>
        <div class="scan">
          {!isScanned && <OpenOnPhone qr={qr} />}
          <div class="plate">
            <Image
              path={picturePath(qr.code, { size: 'large' })}
              alt={t.firstRun.pictureOf({ name: titleOf(qr) })}
              widthPx={232}
            />
          </div>
          <div class="stack tight">
            {isScanned ? (
              <h2>{t.firstRun.itWorks}</h2>
            ) : (
              <h2 class="compact-hide">{t.firstRun.scanIt}</h2>
            )}
            <div role="status">
              {isScanned ? (
                <p>
                  {t.firstRun.scanned<ComponentChildren>({
                    when: qr.lastScanMs !== null && <RelativeTime ms={qr.lastScanMs} />,
                    b: (parts) => <b>{parts}</b>,
                    address: shown(qr),
                  })}
                </p>
              ) : (
                <>
                  <p class="wait script-only">{t.firstRun.waiting}</p>
                  <p class="no-script">
                    <TextLink to={`/account?first=${encodeURIComponent(qr.code)}`}>
                      {t.firstRun.reload}
                    </TextLink>
                  </p>
                </>
              )}
            </div>
            <p class="small soft">
              {isScanned ? t.firstRun.changeWhenever : t.firstRun.pointCamera}
            </p>
            {isScanned ? (
              <div class="row">
                <Link class="button primary" to={codePath(qr.code)}>
                  {t.firstRun.goToCode}
                </Link>
                <ButtonLink to="/account/batches">{t.firstRun.createMany}</ButtonLink>
              </div>
            ) : (
              <PostButton to="/account/start" values={{ step: 'skip' }} class="button">
                {t.firstRun.skip}
              </PostButton>
            )}
          </div>
        </div>
      </div>
    </li>
  );
}

/** Renders the way without a second device, for whoever reads this on a phone: it cannot scan its own screen. */
function OpenOnPhone({ qr: { shortLink } }: { qr: Qr }) {
  const t = useTexts();
  return (
    <div class="stack tight phone-only">
      <h2>{t.firstRun.tryThisPhone}</h2>
      <a class="button primary large wide" href={shortLink} target="_blank" rel="noreferrer">
        {t.firstRun.openOnThisPhone}
      </a>
      <p class="small soft">{t.firstRun.countsAsFirst}</p>
    </div>
  );
}

function shown({ destination }: Pick<Qr, 'destination'>): string {
  return formatUrl(formatDestination(destination));
}
