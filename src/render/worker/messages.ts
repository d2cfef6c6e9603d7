/** What goes to a render worker. */
export interface Request<Job> {
  readonly id: number;
  readonly job: Job;
}

/** What comes back for each request. */
export type Reply = {
  readonly id: number;
  /** Processor time that the job took, in milliseconds. */
  readonly cpuMs: number;
} & (
  | { readonly ok: true; readonly value: unknown }
  /** `refused`: the job's input is at fault, not the worker. */
  | { readonly ok: false; readonly message: string; readonly refused: boolean }
);

/** What a worker says before all replies, once it can work. */
export const ready = 'ready';
