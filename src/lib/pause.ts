/** Called between two pieces of work: whoever does it in the background gives way meanwhile. */
export type Pause = () => Promise<void>;
