import { PanelRefused } from './refused.ts';

/** A logo of the size that the renderer takes, and the other fields around it, encoded twice over. */
const formLimitBytes = 3 * 1024 * 1024;

/** What was filled in. */
export interface Form {
  /** The text of a field, empty where there is none. */
  text(name: string): string;
  /** The bytes of an uploaded file, or null where none was chosen. */
  file(name: string): Promise<Uint8Array | null>;
}

/**
 * Reads a form, never more than the limit of it in memory.
 *
 * @throws PanelRefused 413 when it is larger, 400 when it is no form
 */
export async function readForm(request: Request): Promise<Form> {
  if (Number(request.headers.get('content-length')) > formLimitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > formLimitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const type = request.headers.get('content-type') ?? '';
  const fields = await parse(Buffer.concat(chunks), type);
  return {
    text: (name) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    },
    file: async (name) => {
      const value = fields.get(name);
      return value instanceof Blob && value.size > 0 ? value.bytes() : null;
    },
  };
}

async function parse(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw new PanelRefused(400, 'That was not a form', 'Go back, reload the page and try again.');
  }
}

function tooLarge(): PanelRefused {
  return new PanelRefused(
    413,
    'That is too much at once',
    `A form may carry ${formLimitBytes / 1024 / 1024} MB. Choose a smaller file.`,
  );
}
