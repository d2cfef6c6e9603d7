import { maxLogoBytes } from '../../core/designs/design.ts';
import { readAtMost } from '../../lib/files/bounded-read.ts';
import { type FormFields, fieldsOf } from '../request/request.ts';
import { PanelError } from './errors.tsx';

// More than a logo may have, so that its field says what is wrong with a somewhat larger one.
const maxUploadBytes = 3 * 1024 * 1024;
// Fits a destination of 2,048 characters, percent-encoded. Parsing more would delay other requests.
const maxFieldsBytes = 64 * 1024;

/**
 * Reads a form of limited size. Only account holders may upload files.
 *
 * @param routeBytes maximum of a form of an account; that of a logo, or of a form without files, when left out
 * @throws PanelError 413 when it is too large, 400 when it is incomplete or not a form
 */
export async function readBody(
  request: Request,
  isSignedIn: boolean,
  routeBytes: number | undefined,
): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? '';
  const mayUpload = isSignedIn && /^multipart\/form-data\b/i.test(type);
  const maxBytes =
    (isSignedIn ? routeBytes : undefined) ?? (mayUpload ? maxUploadBytes : maxFieldsBytes);
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const body = await readAtMost(request.body, maxBytes);
  if (body === 'too long') throw tooLarge(maxBytes);
  if (body === 'broken off') throw invalidForm();
  const fields = await parse(body, type);
  const entries = [...fields];
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return {
    ...fieldsOf(entries.filter(isText)),
    hasFile: entries.some(([, value]) => value instanceof File && value.size > 0),
    fileName: (name) => {
      const value = fields.get(name);
      // A file without a name has none in Bun, against its type.
      return (value instanceof File && value.name) || '';
    },
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
    (t) => t.errors.formNotRead,
    (t) => t.errors.formNotReadWhy,
  );
}

function tooLarge(maxBytes: number): PanelError {
  const fileBytes = maxBytes === maxUploadBytes ? maxLogoBytes : maxBytes;
  return new PanelError(
    413,
    (t) => t.errors.formTooLarge,
    (t) =>
      maxBytes === maxFieldsBytes
        ? t.errors.formTooLargeWhy({ kilobytes: maxFieldsBytes / 1024 })
        : t.errors.fileTooLargeWhy({ megabytes: Math.floor(fileBytes / 1_000_000) }),
  );
}
