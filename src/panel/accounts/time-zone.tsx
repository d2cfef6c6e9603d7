/** @jsxImportSource preact */
import { findTimeZone, parseTimeZone, timeZoneOf } from '../../core/accounts/time-zone.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { PersonContext } from '../request/request.ts';
import { type Choice, hiddenField, selectField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatOffset, formatTimeOfDay, formatZone } from '../ui/formatting.ts';
import { Setting } from '../ui/groups.tsx';
import { Submit, useRequest, useTexts } from '../ui/page-context.tsx';

/**
 * Creates the hidden field of a form that signs in.
 * The script fills it with the zone of the browser. Reads null without a script, and from a browser that names zones
 * otherwise.
 */
export const guessedZoneField = hiddenField((text) => {
  const zone = findTimeZone(text.slice(0, maxGuessLength));
  return zone === null ? null : todaysName(zone);
});
const maxGuessLength = 100;

/** Returns today's name of a zone. Browsers keep using the first one, such as Asia/Calcutta. */
function todaysName(zone: string): string {
  const names = Intl.supportedValuesOf('timeZone');
  const isSame = (name: string) =>
    new Temporal.ZonedDateTime(0n, name).equals(new Temporal.ZonedDateTime(0n, zone));
  return names.includes(zone) ? zone : (names.find(isSame) ?? zone);
}

/**
 * Gives an account the zone of the browser at the first sign-in.
 * Returns the message about it, or undefined when the account has a zone.
 */
export async function adoptZone(
  { schedule, sessions }: Pick<PanelDeps, 'schedule' | 'sessions'>,
  token: string,
  zone: string | null,
) {
  const account = zone === null ? undefined : (await sessions.find(token))?.person;
  if (zone === null || account === undefined || account.timeZone !== null) return undefined;
  await schedule.changeTimeZone(
    { accountId: account.id, by: { kind: 'person', accountId: account.id } },
    zone,
  );
  return { kind: 'timeZoneGuessed', place: formatZone(zone) } as const;
}

/** Creates the form that chooses the zone of an account. */
export function timeZoneForm({ session, nowMs }: PersonContext) {
  const own = timeZoneOf(session.entered);
  const zones = new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')]);
  const options = Array.from(zones, (zone): Choice => {
    const slash = zone.indexOf('/');
    const place = zone.slice(slash + 1).replaceAll('_', ' ');
    const offset = formatOffset({ nowMs, zone });
    return {
      value: zone,
      text: place === offset ? place : `${place} (${offset})`,
      ...(slash > 0 && { group: zone.slice(0, slash) }),
    };
  });
  return {
    zone: selectField({
      label: (t) => t.timeZone.label,
      isLabelHidden: true,
      options,
      parse: parseTimeZone,
    }),
  };
}

/** Renders the line of the settings that chooses the zone. */
export function TimeZoneSetting({ form }: { form: ReturnType<typeof timeZoneForm> }) {
  const { nowMs, zone } = useRequest();
  const t = useTexts();
  return (
    <Setting
      name={t.timeZone.label}
      id="time-zone"
      text={t.timeZone.whatFollows({ time: formatTimeOfDay(nowMs, { zone, texts: t }) })}
    >
      <FormView form={form} to="/account/settings/time-zone" values={{ zone }} class="stacked">
        <Submit class="button">{t.common.save}</Submit>
      </FormView>
    </Setting>
  );
}
