/** @jsxImportSource preact */
import { newToken } from '../../core/accounts/session.ts';
import type { RandomBytes } from '../../core/ports.ts';
import type { PersonContext } from '../request/request.ts';
import { errorResponse } from './errors.tsx';
import { page, reloading } from './responses.tsx';

const reloadSeconds = 2;
const keptMs = 10 * 60_000;

interface Job {
  /** Person and account that started it: only they get the result. */
  readonly owner: string;
  readonly name: string;
  readonly startedMs: number;
  readonly response: Promise<Response>;
}

const ownerOf = ({ session: { person, entered } }: PersonContext) => `${person.id} ${entered.id}`;
const isDone = ({ response }: Job) => Bun.peek.status(response) !== 'pending';

export type Jobs = ReturnType<typeof createJobs>;

/**
 * Runs actions that may take minutes, such as a remote check of thousands of destinations.
 * The client waits on a page that reloads until the result is ready. An action continues if the client closes the page.
 *
 * @param patienceMs an action that ends earlier responds itself
 */
export function createJobs(randomBytes: RandomBytes, patienceMs = 2_000) {
  const jobs = new Map<string, Job>();

  /** Removes results that were not fetched in time, and finished ones of an owner that starts another. */
  const removeOld = (owner: string, nowMs: number): void => {
    for (const [id, job] of jobs)
      if (isDone(job) && (job.owner === owner || nowMs - job.startedMs > keptMs)) jobs.delete(id);
  };

  return {
    /** Responds as an action does, or with the way to the page that waits for it. */
    respond: async (
      context: PersonContext,
      name: string,
      act: () => Promise<Response>,
    ): Promise<Response> => {
      const action = act();
      await Promise.race([Promise.allSettled([action]), Bun.sleep(patienceMs)]);
      if (Bun.peek.status(action) !== 'pending') return action;
      const { nowMs } = context;
      const owner = ownerOf(context);
      removeOld(owner, nowMs);
      const id = newToken(randomBytes);
      const response = action.catch((error: unknown) => errorResponse(context, error));
      jobs.set(id, { owner, name, startedMs: nowMs, response });
      const Location = `${context.basePath}/account/working/${id}`;
      return new Response(null, { status: 303, headers: { Location } });
    },

    /** Responds with the result of an action, or with a page that waits for it. */
    result: async (context: PersonContext): Promise<Response> => {
      const job = jobs.get(context.params['id'] ?? '');
      const isOwn = job?.owner === ownerOf(context);
      if (isOwn && isDone(job)) return (await job.response).clone();
      const name = isOwn ? job.name : 'Working';
      const waiting = page(
        context,
        name,
        <section class="card pad stack tight" role="status">
          <h1>{name}</h1>
          <p>This can take some minutes. The page reloads by itself.</p>
          {/* Another copy of the server may have it. */}
          {!isOwn && (
            <p>
              If nothing follows, the server was restarted since. Go back and send the form again.
            </p>
          )}
        </section>,
      );
      return reloading(waiting, reloadSeconds);
    },
  };
}
