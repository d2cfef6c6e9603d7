import type { Specimen } from './corpus.ts';
import type { Failure, Finding, Question } from './worker.ts';

/** Examines specimens on several threads and returns the findings in the order of the specimens. */
export async function findingsOf(
  specimens: readonly Specimen[],
  { jobs, ...options }: Omit<Question, 'specimen'> & { jobs: number },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let next = 0;
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url).href);
    await messageOf(worker);
    while (next < specimens.length) {
      const index = next++;
      const specimen = specimens[index];
      if (specimen === undefined) break;
      const answer = messageOf<Finding | Failure>(worker);
      worker.postMessage({ specimen, ...options });
      const found = await answer;
      if ('failed' in found) throw new Error(`design ${specimen.index}: ${found.failed}`);
      findings[index] = found;
      if (next % 50 === 0) process.stderr.write(`${next} of ${specimens.length}\n`);
    }
    worker.terminate();
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return findings;
}

/** Resolves with the next message of a worker, which sends one at its start and one per question. */
function messageOf<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Message>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}
