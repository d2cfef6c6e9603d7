import { InvalidListRequest } from '../errors.ts';

/** In characters: the longest URL that anything accepts has 2,048, and rows of tables hold some of them. */
export const longestLine = 16_384;

/** The lines of one piece of a file, and the number of the first. Null stands for one too long. */
export interface LineBatch {
  readonly first: number;
  readonly lines: readonly (string | null)[];
}

/**
 * Cuts a stream of UTF-8 into lines, trimmed, a batch for each piece that comes in. Holds one piece
 * and one line in memory.
 *
 * @throws InvalidListRequest when this is no text
 */
export async function* lineBatches(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<LineBatch, void> {
  const decoder = new TextDecoder(); // drops a byte order mark; what is broken becomes U+FFFD
  let first = 1;
  let rest = '';
  let tooLong = false;
  const finish = (line: string) => {
    const dropped = tooLong || line.length > longestLine;
    tooLong = false;
    return dropped ? null : line.trim();
  };
  let isFirstPiece = true;
  for await (const piece of pieces) {
    if (isFirstPiece) refuseBinary(piece);
    isFirstPiece = false;
    const [head = '', ...more] = (rest + decoder.decode(piece, { stream: true })).split('\n');
    const last = more.pop();
    rest = last ?? head;
    const lines = last === undefined ? [] : [finish(head), ...more.map(finish)];
    if (rest.length > longestLine) {
      tooLong = true;
      rest = '';
    }
    if (lines.length > 0) yield { first, lines };
    first += lines.length;
  }
  rest += decoder.decode();
  if (rest !== '' || tooLong) yield { first, lines: [finish(rest)] };
}

function refuseBinary(piece: Uint8Array): void {
  if (piece[0] === 0x1f && piece[1] === 0x8b) {
    throw new InvalidListRequest('This file is compressed (gzip). Unpack it first.');
  }
  if (piece[0] === 0x50 && piece[1] === 0x4b) {
    throw new InvalidListRequest('This file is an archive (zip). Unpack it first.');
  }
  if (piece.subarray(0, 4096).includes(0))
    throw new InvalidListRequest('This file is not a text in UTF-8.');
}
