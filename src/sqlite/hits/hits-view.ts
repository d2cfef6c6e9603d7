import { fileIdentity, hitsPath } from '../../redirect/sqlite/files.ts';
import { type HitsFile, openHitsForReading } from '../../redirect/sqlite/hits-file.ts';

/** The log of hits as another process than its writer sees it. */
export interface HitsView {
  /**
   * Returns the log that is there now, or null if there is none.
   *
   * @throws SQLiteError when it is damaged
   */
  current(): HitsFile | null;
  close(): void;
}

/**
 * Creates the view of a data folder.
 * The log is opened when there is one, and again when another is in its place.
 */
export function createHitsView(dataFolder: string): HitsView {
  const path = hitsPath(dataFolder);
  let opened: { readonly file: HitsFile; readonly identity: string | null } | null = null;
  const close = () => {
    opened?.file.database.close();
    opened = null;
  };
  return {
    current: () => {
      const identity = fileIdentity(path);
      if (opened?.identity === identity) return opened?.file ?? null;
      close();
      const file = openHitsForReading(dataFolder);
      if (file !== null) opened = { file, identity };
      return file;
    },
    close,
  };
}
