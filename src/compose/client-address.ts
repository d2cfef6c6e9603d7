import { type ClientAddress, makeClientAddress } from '../panel/client-address.ts';
import { StartRefused } from './start-refused.ts';

/** @throws StartRefused when an entry is neither an address nor a network */
export function trustedAddress(trusted: readonly string[]): ClientAddress {
  try {
    return makeClientAddress(trusted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartRefused(
      `WAYMARK_TRUST_PROXY names ${JSON.stringify(error.message)}, but must name addresses or ` +
        'networks such as 10.0.0.1 or 10.0.0.0/8, separated by commas.',
    );
  }
}
