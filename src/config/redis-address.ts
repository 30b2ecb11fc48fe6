/** The address of the state: a Redis or Valkey server, a cluster, or sentinels that know a server. */

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly kind: 'server' | 'cluster' | 'sentinel';
  /** The server, some nodes of the cluster, or sentinels. */
  readonly nodes: readonly RedisNode[];
  /** The name of the server at the sentinels. */
  readonly group?: string;
  readonly isEncrypted: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

const form = /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^@/?#]+)((?:\/[^?#]*)?)$/;

const defaultPorts = { server: 6379, cluster: 6379, sentinel: 26379 };

export function parseRedisAddress(text: string): RedisAddress | undefined {
  try {
    return parse(text);
  } catch {
    // A host or an escape is malformed.
    return undefined;
  }
}

function parse(text: string): RedisAddress | undefined {
  const [, tls, kind = 'server', credentials = '', hosts = '', path = ''] = form.exec(text) ?? [];
  if (hosts === '' || !isKind(kind)) return undefined;
  const nodes = hosts.split(',').map((host) => parseNode(host, defaultPorts[kind]));
  const place = parsePath(path, kind);
  const [username, password, ...rest] = credentials
    .split(':')
    .map((each) => decodeURIComponent(each));
  const isKnown = nodes.every((node) => node !== undefined) && place !== undefined;
  if (!isKnown || rest.length > 0 || (kind === 'server' && nodes.length > 1)) return undefined;
  return {
    kind,
    nodes,
    ...place,
    isEncrypted: tls === 's',
    ...(username && { username }),
    ...(password && { password }),
  };
}

function isKind(text: string): text is RedisAddress['kind'] {
  return Object.hasOwn(defaultPorts, text);
}

function parseNode(text: string, defaultPort: number): RedisNode | undefined {
  const { hostname, port, username, pathname } = new URL(`redis://${text}`);
  if (hostname === '' || username !== '' || !['', '/'].includes(pathname)) return undefined;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? defaultPort : Number(port),
  };
}

/** A cluster has one database; sentinels need a group. */
function parsePath(
  path: string,
  kind: RedisAddress['kind'],
): Pick<RedisAddress, 'group' | 'database'> | undefined {
  const pattern = {
    server: /^\/?(?<database>\d{0,4})$/,
    cluster: /^\/?(?<database>0?)$/,
    sentinel: /^\/(?<group>[\w.-]+)(?:\/(?<database>\d{0,4}))?$/,
  }[kind];
  const found = pattern.exec(path)?.groups;
  if (found === undefined) return undefined;
  const { group, database } = found;
  return { ...(group !== undefined && { group }), database: Number(database ?? 0) };
}

export function nameOf({ nodes, group }: RedisAddress): string {
  const hosts = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return group === undefined ? hosts.join(',') : `${hosts.join(',')}/${group}`;
}
