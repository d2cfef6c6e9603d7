import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What links and forms of a page need to know of the page. */
export interface Frame {
  /** Path in front of `/account` where the server lives below one; else empty. */
  readonly basePath: string;
  /** Goes into every form of someone who is signed in. */
  readonly csrfToken: string | null;
}

export const FrameContext = createContext<Frame>({ basePath: '', csrfToken: null });

/** The frame of the page that is being drawn. */
export function useFrame(): Frame {
  return useContext(FrameContext);
}
