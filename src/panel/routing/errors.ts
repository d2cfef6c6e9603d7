/** The panel will not answer this; title and text are for the person in front of it. */
export class PanelError extends Error {
  override readonly name = 'PanelError';

  constructor(
    readonly status: number,
    readonly title: string,
    text: string,
  ) {
    super(text);
  }
}

/** 404: no page, or none that this visitor may know of. */
export function pageNotFound(): PanelError {
  return new PanelError(
    404,
    'There is nothing here',
    'This page does not exist, or you may not see it.',
  );
}
