import { maxLogoBytes } from '../../core/designs/design.ts';
import { readAtMost } from '../../lib/bounded-read.ts';
import { PanelError } from './errors.ts';

/** A logo of the size that the renderer takes, and the other fields around it, encoded twice over. */
const uploadLimitBytes = 3 * 1024 * 1024;
// Fields alone: a destination of 2,048 characters with every one escaped fits. Taking a body apart
// into fields stops everyone else meanwhile, and a small one can hold few.
const fieldsLimitBytes = 64 * 1024;

/** What was filled in. */
export interface Form {
  /** The text of a field, empty where there is none. */
  text(name: string): string;
  /** The bytes of an uploaded file, or null where none was chosen. */
  file(name: string): Promise<Uint8Array | null>;
}

/**
 * Reads a form, never more than the limit of it in memory. Files are taken from account holders
 * alone: nobody else has any to give.
 *
 * @throws PanelError 413 when it is larger, 400 when it is no form or ends before its end
 */
export async function readForm(request: Request, from: 'signed-in' | 'anonymous'): Promise<Form> {
  const type = request.headers.get('content-type') ?? '';
  const mayUpload = from === 'signed-in' && /^multipart\/form-data\b/i.test(type);
  const limitBytes = mayUpload ? uploadLimitBytes : fieldsLimitBytes;
  if (Number(request.headers.get('content-length')) > limitBytes) throw tooLarge(limitBytes);
  const body = await readAtMost(request.body, limitBytes);
  if (body === 'too long') throw tooLarge(limitBytes);
  // A browser that goes away halfway is no fault of ours.
  if (body === 'broken off') throw noForm();
  const fields = await parse(body, type);
  return {
    text: (name) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    },
    file: async (name) => {
      const value = fields.get(name);
      // Where no file was chosen the field has neither bytes nor a name; an empty file has a name.
      return value instanceof File && (value.size > 0 || value.name) ? value.bytes() : null;
    },
  };
}

async function parse(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw noForm();
  }
}

function noForm(): PanelError {
  return new PanelError(400, 'That was not a form', 'Go back, reload the page and try again.');
}

function tooLarge(limitBytes: number): PanelError {
  return new PanelError(
    413,
    'That is too much at once',
    limitBytes === uploadLimitBytes
      ? `A logo may have ${maxLogoBytes / 1_000_000} MB. Choose a smaller file.`
      : `A form may carry ${fieldsLimitBytes / 1024} KB.`,
  );
}
