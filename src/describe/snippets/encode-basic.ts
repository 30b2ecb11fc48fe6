/** The credentials of the Basic scheme in UTF-8 (RFC 7617), where there is no Buffer: in browsers too. */

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
