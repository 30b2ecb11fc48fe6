/** Hosts to listen on that stand for all addresses of the machine. */

const anyHosts = ['0.0.0.0', '[::]', '[::ffff:0:0]'];

/** Whether no client can connect to the host by this name: `0.0.0.0`, `::`, in any notation. */
export function isAnyAddress(host: string): boolean {
  const url = `http://${host.includes(':') ? `[${host}]` : host}/`;
  return URL.canParse(url) && anyHosts.includes(new URL(url).hostname);
}
