/** Ports whose paths have a prefix that the client leaves out. */

import type { IncomingMessage } from 'node:http';
import { originForm } from './target.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set on arrival if the routed target differs from the sent one. */
    mount?: Mount;
  }
}

interface Mount {
  /**
   * Precedes each path of the service, but not the paths that clients send, such as `/httpbin`;
   * empty on the main port.
   */
  readonly prefix: string;
  readonly sentTarget: string;
}

/**
 * Puts a prefix before the path of a request. Called once, after the sandbox is known and before
 * routing.
 */
export function enterMount(request: IncomingMessage, prefix: string): void {
  const { url = '', sandboxAddress } = request;
  if (url === '*') return;
  const shown = originForm(url);
  const sentTarget = sandboxAddress?.sentTarget ?? url;
  request.mount = { prefix, sentTarget };
  const isRoot = shown === '/' || shown.startsWith('/?');
  const path = prefix + (isRoot ? shown.slice(1) : shown);
  request.url = url.endsWith(shown) ? url.slice(0, url.length - shown.length) + path : path;
}

/** Routes a request to a different target from the sent one. */
export function rewriteTarget(request: IncomingMessage, target: string): void {
  const { url = '', mount, sandboxAddress } = request;
  request.mount = mount ?? { prefix: '', sentTarget: sandboxAddress?.sentTarget ?? url };
  request.url = target;
}

/** Returns a path of the service as the client must write it. */
export function shownPath({ mount }: IncomingMessage, path: string): string {
  const prefix = mount?.prefix ?? '';
  if (prefix === '' || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
