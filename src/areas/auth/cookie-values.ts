import { parseCookie } from 'cookie';

/** Returns every value of a cookie: browsers send cookies of several paths under the same name. */
export function cookieValues(header: string | undefined, name: string): string[] {
  // Parses one pair at a time, because the parser keeps only the first pair of a name.
  return (header ?? '').split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
}
