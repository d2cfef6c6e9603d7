/**
 * Tells all copies that the redirect of some codes has changed. To be called after the commit and before the
 * change is answered.
 */
export type Announce = (codes: readonly string[]) => Promise<void>;
