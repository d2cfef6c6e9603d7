import type { Binary } from './threshold.ts';
import type { Visited } from './visited.ts';

/** Pixels of one kind that hang together: first and last column and row, and a pixel to its right. */
export interface Blob {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly beyondX: number;
  readonly beyondY: number;
}

const besides = [1, 0, -1, 0, 0, 1, 0, -1] as const;
const around = [...besides, 1, 1, 1, -1, -1, 1, -1, -1] as const;

/**
 * The blob that a pixel belongs to, dark ones also over corners. Null when it is larger than a limit
 * in pixels. The pixels that were looked at are added to `seen`.
 */
export function blobAt(
  { isDark, darkRows, widthPx }: Binary,
  startX: number,
  startY: number,
  limitPx: number,
  seen: Visited,
): Blob | null {
  const dark = isDark(startX, startY);
  const reachPx = Math.ceil(limitPx) + 1;
  const darkPixels = darkRows(startY - reachPx, startY + reachPx);
  const steps = dark ? around : besides;
  const waiting = waitingFor(reachPx);
  waiting[0] = startX;
  waiting[1] = startY;
  let count = 2;
  seen.add(startY * widthPx + startX);
  let left = startX;
  let right = startX;
  let top = startY;
  let bottom = startY;
  let beyondY = startY;
  // No lists within the loop: taking them apart would take longer than all the rest.
  while (count > 0) {
    count -= 2;
    const x = waiting[count] ?? 0;
    const y = waiting[count + 1] ?? 0;
    if (x >= right) beyondY = y;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    if (right - left >= limitPx || bottom - top >= limitPx) return null;
    for (let step = 0; step < steps.length; step += 2) {
      const nextX = x + (steps[step] ?? 0);
      const nextY = y + (steps[step + 1] ?? 0);
      const place = nextY * widthPx + nextX;
      const isInside = nextX >= 0 && nextX < widthPx && nextY >= 0 && nextY < widthPx;
      if (seen.has(place) || (isInside && darkPixels[place] === 1) !== dark) continue;
      seen.add(place);
      waiting[count] = nextX;
      waiting[count + 1] = nextY;
      count += 2;
    }
  }
  return { left, right, top, bottom, beyondX: right + 1, beyondY };
}

/** Columns and rows of pixels that are still to be looked at: no blob has more than reach so far to all sides. */
let waitingPixels = new Int32Array(0);
function waitingFor(reachPx: number): Int32Array {
  const length = 2 * (2 * reachPx + 1) ** 2;
  if (waitingPixels.length < length) waitingPixels = new Int32Array(length);
  return waitingPixels;
}
