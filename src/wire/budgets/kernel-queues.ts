/**
 * What the kernel holds of each connection that the other side has not acknowledged. A kernel takes
 * megabytes at once and asks for more when a third has gone, so that without it a client that reads
 * steadily looks like one that has stopped. Linux tells; elsewhere nothing is known.
 */

import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The columns of proc(5): entry, local address, remote address, state, and both queues. */
const row = /^\s*\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/;

export type KernelQueues = ReadonlyMap<string, number>;

export async function readKernelQueues(): Promise<KernelQueues> {
  const texts = await Promise.all(tables.map((table) => readFile(table, 'latin1').catch(() => '')));
  return parseKernelQueues(texts.join('\n'));
}

/** Rows with nothing queued are left out. */
export function parseKernelQueues(text: string): KernelQueues {
  const queues = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, localPort, remote, queued] = row.exec(line) ?? [];
    const bytes = Number.parseInt(queued ?? '0', 16);
    if (bytes > 0) queues.set(`${localPort} ${remote}`, bytes);
  }
  return queues;
}

export function unacknowledgedBytes(
  queues: KernelQueues,
  {
    localPort,
    remotePort,
    remoteAddress,
  }: {
    readonly localPort?: number | undefined;
    readonly remotePort?: number | undefined;
    readonly remoteAddress?: string | undefined;
  },
): number {
  if (queues.size === 0 || remoteAddress === undefined) return 0;
  const remote = `${hexAddress(remoteAddress)}:${hexPort(remotePort)}`;
  return queues.get(`${hexPort(localPort)} ${remote}`) ?? 0;
}

function hexPort(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** As four bytes at a time in the order of a little-endian machine, which those with Node are. */
function hexAddress(address: string): string {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  return bytes.swap32().toString('hex').toUpperCase();
}
