// What people meet when they name files: the wrong path, the wrong user, a full or a broken disk.
const words: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EDQUOT: 'no more space is allowed to this user',
  EEXIST: 'there is a file of this name',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'part of the path is a file, where a folder must be',
  EPERM: 'this user may not',
  EROFS: 'it lies on a file system that can only be read',
};

/**
 * What the operating system refused, for people, with its own name behind it, by which more can be found:
 * `no space is left (ENOSPC)`. The message of anything else.
 */
export function errnoMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const said = words[code];
  return said === undefined ? error.message : `${said} (${code})`;
}
