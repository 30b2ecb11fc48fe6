/** The value of Location for a target, in each of its forms (RFC 9110 section 10.2.2). */

export const locationForms = ['path', 'absolute', 'relative'] as const;

/** An absolute path, an absolute URL, or a reference relative to the path of the request. */
export type LocationForm = (typeof locationForms)[number];

export interface Redirect {
  /** The scheme and host of the request, such as `http://localhost:3000`. */
  readonly origin: string;
  /** The path of the request as sent, without its query. */
  readonly from: string;
  /** A path of this service with its query. Begins with one slash. */
  readonly to: string;
}

export function redirectLocation(form: LocationForm, { origin, from, to }: Redirect): string {
  if (form === 'path') return to;
  return form === 'absolute' ? origin + to : relativeReference(from, to);
}

/** Returns the shortest reference from one path to another (RFC 3986 section 5.2). */
export function relativeReference(from: string, to: string): string {
  const queryStart = to.search(/[?#]|$/);
  const end = to.slice(queryStart);
  const fromSegments = from.split('/').slice(1, -1);
  const toSegments = to.slice(0, queryStart).split('/').slice(1);
  const last = toSegments.length - 1;
  let shared = 0;
  while (
    shared < fromSegments.length &&
    shared < last &&
    fromSegments[shared] === toSegments[shared]
  )
    shared++;
  const up = '../'.repeat(fromSegments.length - shared);
  const down = toSegments.slice(shared).join('/');
  // An empty reference, or one with an initial slash or apparent scheme, would have another meaning.
  const isPlain = up !== '' || /^[^/:?#][^/:]*(?:\/|$)/.test(down);
  return `${isPlain ? up : './'}${down}${end}`;
}
