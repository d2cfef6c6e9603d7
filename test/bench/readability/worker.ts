import type { Advice, Design } from '../../../src/core/designs/design.ts';
import { createRenderer } from '../../../src/render/renderer.ts';
import { readByThree } from './clean.ts';
import type { Specimen } from './corpus.ts';
import { type Examination, examine } from './examine.ts';
import { createJudges } from './judges.ts';
import { errorOf } from './truth.ts';

/** Asks for the examination of one design. */
export interface Question {
  readonly specimen: Specimen;
  /** How often each scene is photographed. */
  readonly rounds: number;
  /** The same where the truth hangs on a few shots. */
  readonly roundsInDoubt: number;
  /** Also photograph what the gate advises instead of a refused design. */
  readonly followAdvice: boolean;
  /** The name of a judge that is not asked. */
  readonly without: string | null;
  /** Pictures of designs on which gate and judges disagree go here. */
  readonly outFolder: string | null;
}

export interface Finding extends Specimen, Examination {
  /** The advised design, examined in its turn; null when there is none or it was not followed. */
  readonly advised: Examination | null;
}

/** The product or a judge broke down on a question. */
export interface Failure {
  readonly failed: string;
}

declare const self: Worker;

const allJudges = await createJudges();
const renderer = createRenderer({
  startRenderWorker: () =>
    new Worker(new URL('../../../src/render/worker/worker.ts', import.meta.url).href),
  workers: 1,
});

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    self.postMessage(await answer(data));
  } catch (error) {
    self.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
};

// A message that arrives during a top-level await, here or in a library, is lost: ask for the first one.
self.postMessage('ready');

async function answer(question: Question): Promise<Finding> {
  const { specimen, rounds, roundsInDoubt, followAdvice, without, outFolder } = question;
  const { seed, index, link, design } = specimen;
  const judges = allJudges.filter(({ name }) => name !== without);
  if (without !== null && judges.length === allJudges.length) {
    throw new Error(`no judge is called ${without}`);
  }
  // A third number, the round, keeps the stream of the camera apart from the stream of the corpus.
  const tools = { renderer, judges, seeds: [seed, index], rounds, roundsInDoubt };
  const examination = await examine(link, design, tools);
  const { advice } = examination.verdict;
  const follow = followAdvice && advice !== null;
  const finding: Finding = {
    ...specimen,
    ...examination,
    advised: follow ? await examine(link, advisedDesign(design, advice), tools) : null,
  };
  if (outFolder !== null) await keepDisagreement(finding, outFolder);
  return finding;
}

function advisedDesign(design: Design, advice: Advice): Design {
  return { ...design, ...advice.changes };
}

async function keepDisagreement(finding: Finding, folder: string): Promise<void> {
  const { truth, verdict, clean } = finding;
  const why = errorOf(truth, verdict.isReadable) ?? (readByThree(clean) ? null : 'unread-clean');
  if (why === null) return;
  const name = `${folder}/${why}-${finding.seed}-${finding.index}.png`;
  await Bun.write(name, await renderer.png(finding.link, finding.design, 768));
}
