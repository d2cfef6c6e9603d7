/** @jsxImportSource preact */
import { isoTimestamp } from '../../core/codes/qr.ts';
import { agoText, dayText, minuteText } from './formatting.ts';

/** `3 May 2026`; whoever points at it reads the minute and the zone. */
export function Day({ ms }: { ms: number }) {
  return <Moment ms={ms} text={dayText(ms)} />;
}

/** `3 May 2026, 14:05 UTC`. */
export function Minute({ ms }: { ms: number }) {
  return <Moment ms={ms} text={minuteText(ms)} />;
}

/** `5 minutes ago`, or the day where that is long ago; the minute for whoever points at it. */
export function Ago({ ms, nowMs }: { ms: number; nowMs: number }) {
  return <Moment ms={ms} text={agoText(ms, nowMs)} />;
}

function Moment({ ms, text }: { ms: number; text: string }) {
  return (
    <time dateTime={isoTimestamp(ms)} title={minuteText(ms)}>
      {text}
    </time>
  );
}
