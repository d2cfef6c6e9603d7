/** @jsxImportSource preact */
import { useFrame } from './frame.ts';

interface ImageProps {
  /** Path on this server, or a `data:` address. */
  readonly path: string;
  readonly alt: string;
  readonly widthPx: number;
  readonly lazy?: true;
}

/** A square picture whose room is kept while it loads. */
export function Image({ path, alt, widthPx, lazy }: ImageProps) {
  const { basePath } = useFrame();
  return (
    <img
      src={path.startsWith('/') ? `${basePath}${path}` : path}
      alt={alt}
      width={widthPx}
      height={widthPx}
      loading={lazy ? 'lazy' : undefined}
      decoding="async"
    />
  );
}
