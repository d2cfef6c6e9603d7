/** @jsxImportSource preact */
import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import type { DomainCheck } from '../../core/domains/checks.ts';
import { formatCount } from '../../lib/numbers.ts';
import { domainName } from '../domains/domain-state.tsx';
import { Group, Setting, SettingList } from '../ui/groups.tsx';
import { PostButton } from '../ui/page-context.tsx';

interface DomainsGroupProps extends DomainChoices {
  /** Numbers of codes by hosts; null for too many to count. */
  readonly codes: ReadonlyMap<string, number> | null;
  readonly checkOf: (url: string) => DomainCheck | null;
}

/** Renders the part of the settings about the domains of the account. */
export function DomainsGroup({ urls, preset, codes, checkOf }: DomainsGroupProps) {
  return (
    <Group title="Domains" text="What your codes are printed with.">
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
          <span class="small soft">
            You choose for each new code. A printed code keeps its domain for ever. The operator of
            this server adds domains.
          </span>
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
  return (
    <Setting
      name={
        <span class="row tight">
          <bdi>{name}</bdi>
          {isPreset && [
            ' ',
            <span key="preset" class="pill good">
              For new codes
            </span>,
          ]}
          {leadsElsewhere && [
            ' ',
            <span key="elsewhere" class="pill bad">
              Doesn’t lead here
            </span>,
          ]}
        </span>
      }
      text={
        <>
          {codes !== null && (codes === 0 ? 'No codes.' : `${formatCount(codes, 'code')}.`)}{' '}
          {leadsElsewhere &&
            'Phones don’t get here with it, so don’t print it yet. The operator of this server sees this too.'}
        </>
      }
    >
      {!isPreset && !leadsElsewhere && (
        <PostButton
          to="/account/settings/domain"
          values={{ domain: url }}
          class="button small"
          aria-label={`Use it for new codes: ${name}`}
        >
          Use it for new codes
        </PostButton>
      )}
    </Setting>
  );
}
