/** @jsxImportSource preact */
import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import type { DomainCheck } from '../../core/domains/checks.ts';
import { domainName } from '../domains/domain-state.tsx';
import { Group, Setting, SettingList } from '../ui/groups.tsx';
import { PostButton, useTexts } from '../ui/page-context.tsx';

interface DomainsGroupProps extends DomainChoices {
  /** Numbers of codes by hosts; null for too many to count. */
  readonly codes: ReadonlyMap<string, number> | null;
  readonly checkOf: (url: string) => DomainCheck | null;
}

/** Renders the part of the settings about the domains of the account. */
export function DomainsGroup({ urls, preset, codes, checkOf }: DomainsGroupProps) {
  const t = useTexts();
  return (
    <Group title={t.pages.domains} text={t.ownDomains.printedWith}>
      <SettingList>
        {urls.map((url) => (
          <DomainSetting
            key={url}
            url={url}
            isPreset={url === preset}
            codes={codes === null ? null : (codes.get(new URL(url).host) ?? 0)}
            leadsElsewhere={(checkOf(url)?.problem ?? null) !== null}
          />
        ))}
        <li>
          <span class="small soft">{t.ownDomains.youChoose}</span>
        </li>
      </SettingList>
    </Group>
  );
}

interface DomainSettingProps {
  readonly url: string;
  readonly isPreset: boolean;
  readonly codes: number | null;
  /** Whether the last check says so. */
  readonly leadsElsewhere: boolean;
}

function DomainSetting({ url, isPreset, codes, leadsElsewhere }: DomainSettingProps) {
  const name = domainName(url);
  const t = useTexts();
  return (
    <Setting
      name={
        <span class="row tight">
          <bdi>{name}</bdi>
          {isPreset && [
            ' ',
            <span key="preset" class="pill good">
              {t.ownDomains.forNewCodes}
            </span>,
          ]}
          {leadsElsewhere && [
            ' ',
            <span key="elsewhere" class="pill bad">
              {t.domains.leadsElsewhere}
            </span>,
          ]}
        </span>
      }
      text={
        <>
          {codes !== null && (codes === 0 ? t.ownDomains.noCodes : t.ownDomains.codes({ codes }))}{' '}
          {leadsElsewhere && t.ownDomains.leadsElsewhere}
        </>
      }
    >
      {!isPreset && !leadsElsewhere && (
        <PostButton
          to="/account/settings/domain"
          values={{ domain: url }}
          class="button small"
          aria-label={t.ownDomains.useThis({ domain: name })}
        >
          {t.ownDomains.use}
        </PostButton>
      )}
    </Setting>
  );
}
