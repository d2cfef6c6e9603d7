import { maxLogoBytes } from '../../core/designs/design.ts';
import { readAtMost } from '../../lib/bounded-read.ts';
import type { FormFields } from '../request/request.ts';
import { PanelError } from './errors.tsx';

// A logo as a file and a draft logo in base64.
const maxUploadBytes = 3 * 1024 * 1024;
// Fits a destination of 2,048 characters, percent-encoded. Parsing more would delay redirects.
const maxFieldsBytes = 64 * 1024;

/**
 * Reads a form of limited size. Only account holders may upload files.
 *
 * @param uploadBytes maximum of a form with files; that of a logo when left out
 * @throws PanelError 413 when it is too large, 400 when it is incomplete or not a form
 */
export async function readBody(
  request: Request,
  isSignedIn: boolean,
  uploadBytes = maxUploadBytes,
): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? '';
  const mayUpload = isSignedIn && /^multipart\/form-data\b/i.test(type);
  const maxBytes = mayUpload ? uploadBytes : maxFieldsBytes;
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const body = await readAtMost(request.body, maxBytes);
  if (body === 'too long') throw tooLarge(maxBytes);
  if (body === 'broken off') throw invalidForm();
  const fields = await parse(body, type);
  return {
    text: (name) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    },
    all: (name) => fields.getAll(name).filter((value) => typeof value === 'string'),
    file: async (name) => {
      const value = fields.get(name);
      // An empty file has a name. A field without a file has none.
      return value instanceof File && (value.size > 0 || value.name) ? value.bytes() : null;
    },
  };
}

async function parse(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw invalidForm();
  }
}

function invalidForm(): PanelError {
  return new PanelError(
    400,
    'The form could not be read',
    'Nothing was changed. Go back, reload the page and try again.',
  );
}

function tooLarge(maxBytes: number): PanelError {
  const texts: Readonly<Record<number, string>> = {
    [maxUploadBytes]: `A logo can be up to ${maxLogoBytes / 1_000_000} MB. Choose a smaller file.`,
    [maxFieldsBytes]: `Nothing was changed. A form can be up to ${maxFieldsBytes / 1024} KB.`,
  };
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return new PanelError(
    413,
    'The form is too large',
    texts[maxBytes] ??
      `Nothing was changed. A file can be up to ${megabytes} MB. Split it into several.`,
  );
}
