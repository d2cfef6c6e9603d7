import { longestMatch } from './tokens.ts';

/** Where the run of one byte ends that begins at a place, or has begun before it. */
export function runEnd(data: DataView, start: number): number {
  const { byteLength } = data;
  let end = Math.min(start + 1, byteLength);
  // Four bytes that are the same as the four that begin one byte before them.
  while (end + 4 <= byteLength && data.getInt32(end, true) === data.getInt32(end - 1, true))
    end += 4;
  while (end < byteLength && data.getUint8(end) === data.getUint8(end - 1)) end++;
  return end;
}

/** Where the run begins that a place is in, as far back as a match can reach. */
export function runBegin(data: DataView, at: number): number {
  const first = Math.max(0, at - longestMatch);
  let begin = at;
  while (begin > first && data.getUint8(begin - 1) === data.getUint8(at)) begin--;
  return begin;
}

/** Bytes from two places on that are the same, four at a time. */
export function commonBytes(data: DataView, from: number, at: number, most: number): number {
  let length = 0;
  while (
    length + 4 <= most &&
    data.getInt32(from + length, true) === data.getInt32(at + length, true)
  )
    length += 4;
  while (length < most && data.getUint8(from + length) === data.getUint8(at + length)) length++;
  return length;
}
