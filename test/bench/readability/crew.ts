import type { Specimen } from './corpus.ts';
import type { Failure, Finding, Question } from './worker.ts';

/** Examines specimens on several threads and gives the findings in the order of the specimens. */
export async function findingsOf(
  specimens: Iterable<Specimen>,
  options: Omit<Question, 'specimen'> & { jobs: number },
  onProgress: (done: number) => void,
): Promise<Finding[]> {
  const waiting = specimens[Symbol.iterator]();
  const findings: Finding[] = [];
  let [asked, done] = [0, 0];
  const { jobs, ...howToExamine } = options;

  // Each worker takes the next specimen when it is done with one, so none waits for another.
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url).href);
    try {
      await reply(worker, 'start');
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        const place = asked++;
        findings[place] = await ask(worker, { specimen: next.value, ...howToExamine });
        onProgress(++done);
      }
    } finally {
      worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return findings;
}

/** The slowest honest design takes two seconds; a machine that is given to others for minutes, longer. */
const deadlineMs = 900_000;

async function ask(worker: Worker, question: Question): Promise<Finding> {
  const { seed, index } = question.specimen;
  const name = `seed ${seed}, design ${index}`;
  const answer = reply<Finding | Failure>(worker, name);
  worker.postMessage(question);
  const found = await answer;
  if ('failed' in found) throw new Error(`${name}: ${found.failed}`);
  return found;
}

/** The next message of a worker, which sends one after it has started and one for each question. */
function reply<Message>(worker: Worker, name: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${name}: ${why}`));
    const deadline = setTimeout(() => fail('no answer in time'), deadlineMs);
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      clearTimeout(deadline);
      resolve(data);
    };
    worker.onerror = ({ message }) => fail(message);
  });
}
