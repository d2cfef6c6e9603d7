import { createRenderer } from '../../../src/workers/renderer.ts';
import type { Specimen } from './corpus.ts';
import { type Examination, examine, type Shooting } from './examine.ts';
import { createJudges } from './judges.ts';

/** Request to examine one design. */
export interface Question extends Shooting {
  readonly specimen: Specimen;
  /** Name of a judge to leave out, or null. */
  readonly without: string | null;
}

export interface Finding extends Specimen, Examination {}

/** Message of an error in the worker. */
export interface Failure {
  readonly failed: string;
}

declare const self: Worker;

const allJudges = await createJudges();
const renderer = createRenderer({
  startRenderWorker: () =>
    new Worker(new URL('../../../src/workers/worker.ts', import.meta.url).href),
  workers: 1,
});

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    self.postMessage(await findingOf(data));
  } catch (error) {
    self.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
};

// A message that arrives during a top-level await is lost: request the first one.
self.postMessage('ready');

async function findingOf(question: Question): Promise<Finding> {
  const { specimen, without } = question;
  const { link, design } = specimen;
  const judges = allJudges.filter(({ name }) => name !== without);
  if (without !== null && judges.length === allJudges.length) {
    throw new Error(`no judge is called ${without}`);
  }
  const tools = { ...question, renderer, judges, seeds: [specimen.seed, specimen.index] };
  return { ...specimen, ...(await examine(link, design, tools)) };
}
