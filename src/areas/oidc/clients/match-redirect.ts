/** Whether an address is one that a client registered: the same text, or the same but for the port of this machine. */

/** RFC 8252 section 7.3; the name is not recommended there, but much used. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

export function isRegistered(given: string, registered: readonly string[]): boolean {
  // A port over 65535 has five digits like a valid one.
  if (!URL.canParse(given)) return false;
  if (registered.includes(given)) return true;
  if (!loopback.test(given)) return false;
  const portless = withoutPort(given);
  return registered.some((uri) => loopback.test(uri) && withoutPort(uri) === portless);
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, '$1');
}
