/** @jsxImportSource preact */
import { minutesBeforeMidnight } from '../../core/scans/days.ts';
import { formatZone } from './formatting.ts';
import { TextLink, takeZoneNeed, useRequest } from './page-context.tsx';

/** Names the zone of the days and times of a page: once, where it stands first. */
export function ZoneNote() {
  const { nowMs, zone } = useRequest();
  const need = takeZoneNeed();
  if (need === null) return null;
  const place = formatZone(zone);
  const minutes = minutesBeforeMidnight(nowMs, zone);
  return (
    <p class="small soft zone">
      {need === 'times'
        ? `Times are in ${place}.`
        : minutes === 0
          ? `Days begin at midnight in ${place}.`
          : `Days begin at midnight in ${place}. Scans are counted by the hour, so the ${minutes === 30 ? 'half hour' : `${minutes} minutes`} before it counts to the new day.`}{' '}
      <TextLink to="/account/settings#time-zone" aria-label="Change the time zone">
        Change
      </TextLink>
    </p>
  );
}
