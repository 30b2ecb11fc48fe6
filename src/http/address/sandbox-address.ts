/**
 * Addresses below `/s/{sandbox}`: every path of the service inside that sandbox, for callers that cannot
 * send headers. What follows is routed as if it stood at the root.
 */

import type { IncomingMessage } from 'node:http';
import { isSandboxName } from './is-sandbox-name.js';
import { originForm } from './origin-form.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set where the target lies below `/s/`, and `url` then begins after it. */
    sandboxAddress?: SandboxAddress | undefined;
  }
}

export interface SandboxAddress {
  /** What stands before each path of the service, such as `/s/a`; without a slash at the end. */
  readonly prefix: string;
  /** The target as it was sent. */
  readonly sentTarget: string;
  /** The sandbox; of an address that acts as an account, once that is known. */
  sandbox: string | undefined;
  /** The account that the address acts as, by its key, once that is known. */
  account?: { readonly accountId: string; readonly hash: string };
  /** What stands after the tilde of an address that acts as an account; empty when it cannot be one. */
  readonly secret?: string;
  /** Why the name is none; nothing is routed then. */
  readonly fault?: string;
}

/** The two letters stand for themselves or for their escape, as in every path. */
const below = /^\/(?:s|%[57]3)\/([^/?]*)(.*)$/is;

/** RFC 8414 section 3.1 and RFC 9728 section 3.1 put the path of what is described behind the well-known part. */
const wellKnown = /^(\/\.well-known\/[^/?]+)\/(?:s|%[57]3)\/([^/?]+)(\/[^?]*)?(\?.*)?$/is;

/** 128 random bits. */
const secretForm = /^~[\w-]{22}$/;

const slash = 0x2f;
const dot = 0x2e;
const percent = 0x25;
const smallS = 0x73;
const capitalS = 0x53;

/**
 * Takes the sandbox off the target of a request, where there is one. Once for each request, before it is
 * routed; a target that cannot lie below `/s/` costs two comparisons.
 */
export function enterSandbox(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.charCodeAt(0) === slash) {
    const first = url.charCodeAt(1);
    if (first === smallS || first === capitalS) {
      if (url.charCodeAt(2) !== slash) return;
    } else if (first !== percent && first !== dot) return;
    enter(request, url, '', url);
  } else {
    const path = originForm(url);
    // Without a path of its own, as `*` is, there is nothing to look at.
    if (url.endsWith(path)) enter(request, url, url.slice(0, url.length - path.length), path);
  }
}

/** `origin` is what a target in absolute form has before its path. */
function enter(request: IncomingMessage, sentTarget: string, origin: string, path: string): void {
  const found = findSandbox(path);
  const segment = found && decode(found.segment);
  // What is malformed is for the router to refuse.
  if (found === undefined || segment === undefined) return;
  const fault = faultOf(segment);
  if (fault !== undefined) {
    request.sandboxAddress = { prefix: '', sentTarget, sandbox: undefined, fault };
    return;
  }
  request.sandboxAddress = segment.startsWith('~')
    ? {
        prefix: `/s/${segment}`,
        sentTarget,
        sandbox: undefined,
        secret: secretForm.test(segment) ? segment.slice(1) : '',
      }
    : { prefix: `/s/${segment}`, sentTarget, sandbox: segment };
  request.url = origin + (found.inside.startsWith('/') ? found.inside : `/${found.inside}`);
}

/** What names the sandbox, as it is written, and the target without it. */
function findSandbox(path: string) {
  const [, segment = '', inside = ''] = below.exec(path) ?? [];
  if (segment !== '' || inside.startsWith('/')) return { segment, inside };
  const [, start, behind = '', rest = '', query = ''] = wellKnown.exec(path) ?? [];
  if (start === undefined) return undefined;
  return { segment: behind, inside: start + (rest === '/' ? '' : rest) + query };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function faultOf(segment: string): string | undefined {
  if (segment.startsWith('~')) return undefined;
  if (!isSandboxName(segment)) {
    return 'After /s/ stands the name of a sandbox: 1 to 64 letters, digits, dots, underscores and hyphens.';
  }
  // Whatever resolves links would leave the sandbox by it (RFC 3986 section 5.2.4).
  if (segment === '.' || segment === '..') {
    return 'The sandboxes . and .. have no address: clients treat these as steps in a path. X-Sandbox can name them.';
  }
  return undefined;
}

/** What stands before each path in links of the answer; empty outside of such an address. */
export function prefixOf({ sandboxAddress }: IncomingMessage): string {
  return sandboxAddress === undefined ? '' : sandboxAddress.prefix;
}

/** The target of a request as it was sent. */
export function sentTargetOf({ sandboxAddress, url = '' }: IncomingMessage): string {
  return sandboxAddress === undefined ? url : sandboxAddress.sentTarget;
}

/** The base URL without the sandbox that the address of the request has in it. */
export function rootUrl(baseUrl: string, request: IncomingMessage): string {
  return baseUrl.slice(0, baseUrl.length - prefixOf(request).length);
}
