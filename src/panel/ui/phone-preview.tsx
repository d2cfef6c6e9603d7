/** @jsxImportSource preact */
import { formatDestination } from './formatting.ts';
import { useRequest, useTexts } from './page-context.tsx';

interface PhonePreviewProps {
  readonly businessName: string;
  readonly pausedMessage: string;
  readonly pausedLink: string;
}

/** A small phone with the page of a paused code. The script lets it follow the fields. */
export function PhonePreview({ businessName, pausedMessage, pausedLink }: PhonePreviewProps) {
  const { shortUrl } = useRequest();
  const t = useTexts();
  const host = new URL(shortUrl).host;
  const name = (empty: string) => (
    <bdi data-mirrors="businessName" data-empty={empty}>
      {businessName || empty}
    </bdi>
  );
  return (
    <figure class="mock" aria-label={t.pausedPage.howItLooks}>
      <b class="mock-host">{name(host)}</b>
      <div class="mock-card">
        <b class="mock-title">{t.pausedPage.isPaused}</b>
        <p>{t.pausedPage.whoHasTurnedItOff({ who: name(t.pausedPage.itsOwner) })}</p>
        <div class="mock-message">
          <p dir="auto" data-mirrors="pausedMessage" hidden={pausedMessage === ''}>
            {pausedMessage}
          </p>
          <span class="mock-button" data-mirrors="pausedLink" hidden={pausedLink === ''}>
            {formatDestination(pausedLink)}
          </span>
        </div>
      </div>
    </figure>
  );
}
