import { parseCookie } from 'cookie';

/** Every value of a cookie, since a browser sends those of several paths under one name. */
export function cookieValues(header: string | undefined, name: string): string[] {
  // One pair at a time, because the parser keeps only the first of a name.
  return (header ?? '').split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
}
