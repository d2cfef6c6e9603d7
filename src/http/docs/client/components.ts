/** A component of React, and its library, which Swagger UI brings. */
type Component = (props: Props) => unknown;
type Props = Readonly<Record<string, unknown>>;
interface System {
  readonly React: {
    createElement(type: string | Component, props: Props | null, ...children: unknown[]): unknown;
  };
}
type Wrap = (Original: Component, system: System) => Component;

/** Shows SVG as a picture. Swagger UI shows it as text. */
export const showPicture: Wrap =
  (Original, { React }) =>
  (props) => {
    const { contentType, content } = props;
    if (!/^image\/svg/.test(String(contentType)) || typeof content !== 'string')
      return React.createElement(Original, props);
    const src = `data:image/svg+xml,${encodeURIComponent(content)}`;
    return React.createElement('img', { src, alt: 'The QR code' });
  };

/** Masks the field of the key, which Swagger UI shows in clear. */
export const maskKey: Wrap =
  (Original, { React }) =>
  (props) => {
    const isKey = props['id'] === 'auth-bearer-value';
    const masked = { ...props, type: 'password', autoComplete: 'off' };
    return React.createElement(Original, isKey ? masked : props);
  };

/** A map of Immutable.js. */
interface HeaderMap {
  readonly size: number;
  filter(accepts: (header: unknown, name: string) => boolean): HeaderMap;
}

const usualHeaders =
  /^(?:X-Request-Id|Cache-Control|RateLimit-\w+|Vary|Content-Encoding|Retry-After)$/;

/** Folds the headers that most responses have. */
export const foldUsualHeaders: Wrap =
  (Original, { React }) =>
  (props) => {
    // Swagger UI gives this component a map of headers by their names.
    const headers = props['headers'] as HeaderMap | undefined;
    if (headers === undefined) return React.createElement(Original, props);
    const own = headers.filter((_, name) => !usualHeaders.test(name));
    const usual = headers.filter((_, name) => usualHeaders.test(name));
    const summary = React.createElement('summary', null, 'Headers that most responses have');
    return React.createElement(
      'div',
      null,
      React.createElement(Original, { ...props, headers: own }),
      usual.size > 0 &&
        React.createElement(
          'details',
          { className: 'usual-headers' },
          summary,
          React.createElement(Original, { ...props, headers: usual }),
        ),
    );
  };
