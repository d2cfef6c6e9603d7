import { yieldToEventLoop } from '../lib/event-loop.ts';

/**
 * Does work that grows in parts, each in a turn of the event loop.
 * Others read and write between two of them. Whoever calls it makes each part a state in which the process may end.
 *
 * @param first where the first part begins
 * @param part does a part, and returns where the next one begins; null after the last
 */
export async function inParts<Place>(
  first: Place,
  part: (place: Place) => Promise<Place | null>,
): Promise<void> {
  let place = await part(first);
  while (place !== null) {
    await yieldToEventLoop();
    place = await part(place);
  }
}
