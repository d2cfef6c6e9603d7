import { directStream } from '../responses.ts';

/**
 * Creates a stream that sends a body as fast as its client reads.
 *
 * @param setDownloading called with true when the stream begins, with false when everything is written
 */
type CreateDownload = (
  body: AsyncIterable<Uint8Array>,
  setDownloading: (isDownloading: boolean) => void,
) => ReadableStream;

/**
 * Creates downloads, of which a limited number may be stalled.
 * `fetch` of Bun 1.4.5 reads up to 2 MB ahead of a client that stalls. One more than the limit ends the one that has
 * been stalled longest: its connection is closed, and its request to the app aborted.
 */
export function createDownloads(maxStalled: number): CreateDownload {
  // Functions that end a download, the one that has been stalled longest first.
  const stalled = new Set<() => void>();

  /**
   * Resolves to whether a client has read a chunk.
   * False if the download is ended to make room for others.
   */
  const isRead = (written: Promise<number>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = () => resolve(false);
    stalled.add(end);
    const [longest] = stalled;
    if (stalled.size > maxStalled) longest?.();
    // Rejects when the client has disconnected.
    written.then(() => resolve(true), end);
    return promise.finally(() => stalled.delete(end));
  };

  /** Writes a body. Resolves to false if the download was ended before its end. */
  const write = async (
    body: AsyncIterable<Uint8Array>,
    controller: ReadableStreamDirectController,
  ): Promise<boolean> => {
    for await (const chunk of body) {
      const written: number | Promise<number> = controller.write(chunk);
      if (written instanceof Promise && !(await isRead(written))) return false;
    }
    return true;
  };

  return (body, setDownloading) =>
    directStream(async (controller) => {
      setDownloading(true);
      // The app may end in the middle.
      const isComplete = await write(body, controller).catch(() => false);
      // Closes the connection. Bun prints what a stream rejects with, unless it is undefined.
      if (!isComplete) return Promise.reject();
      setDownloading(false);
      controller.end();
    });
}
