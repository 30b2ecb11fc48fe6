/**
 * Encodes Basic credentials in UTF-8 (RFC 7617) without Buffer, so that it also works in browsers.
 */

export function encodeBasic({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
