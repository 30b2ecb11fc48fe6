/**
 * Paths below `/s/{sandbox}`: the whole service inside that sandbox, for callers that cannot send
 * headers.
 */

import type { IncomingMessage } from 'node:http';
import { decodePercent } from '#base/text/decode-percent.js';
import type { Request } from '../exchange.js';
import type {} from './mount.js';
import type { Pupil } from './pupil.js';
import { originForm } from './target.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set if the target is below `/s/`; `url` then begins after it. */
    sandboxAddress?: SandboxAddress | undefined;
  }
}

export interface SandboxAddress {
  /** Precedes each path of the service, such as `/s/a`; without a slash at the end. */
  readonly prefix: string;
  readonly sentTarget: string;
  /** The sandbox; if the path is secret, set once its owner is known. */
  sandbox: string | undefined;
  /** The account of the key in the path, once it is known. */
  account?: { readonly accountId: string; readonly hash: string };
  /** The pupil of a class whose path this is, once it is known. */
  pupil?: Pupil;
  /** The text after the tilde of a secret path; empty if it cannot be one. */
  readonly secret?: string;
  /** Why the name is invalid; nothing is routed then. */
  readonly fault?: string;
}

export function isSandboxName(text: string): boolean {
  return /^[\w.-]{1,64}$/.test(text);
}

/** Fast check: all other targets name no sandbox. */
const mayNameSandbox = /^(?:[^/]|\/(?:s\/|[%.]))/i;

/** The `s` may be percent-encoded, as in every path. */
const below = /^\/(?:s|%[57]3)\/([^/?]*)(.*)$/is;

/**
 * RFC 8414 section 3.1 and RFC 9728 section 3.1 put the path of the described resource after the
 * well-known part.
 */
const wellKnown = /^(\/\.well-known\/[^/?]+)\/(?:s|%[57]3)\/([^/?]+)(\/[^?]*)?(\?.*)?$/is;

/** 128 random bits. */
const secretForm = /^~[\w-]{22}$/;

/** Removes the sandbox from the target of a request. Called once, before routing. */
export function enterSandbox(request: IncomingMessage): void {
  const { url = '' } = request;
  if (!mayNameSandbox.test(url)) return;
  const path = originForm(url);
  const found = findSandbox(path);
  const segment = found && decodePercent(found.segment);
  // `*` has no path, and the router rejects malformed targets.
  if (found === undefined || segment === undefined || !url.endsWith(path)) return;
  const fault = faultOf(segment);
  if (fault !== undefined) {
    request.sandboxAddress = { prefix: '', sentTarget: url, sandbox: undefined, fault };
    return;
  }
  const known = { prefix: `/s/${segment}`, sentTarget: url };
  request.sandboxAddress = segment.startsWith('~')
    ? { ...known, sandbox: undefined, secret: secretForm.test(segment) ? segment.slice(1) : '' }
    : { ...known, sandbox: segment };
  request.url = url.slice(0, url.length - path.length) + originForm(found.inside);
}

/** Returns the segment that names the sandbox, and the rest of the target. */
function findSandbox(path: string) {
  const [, segment = '', inside = ''] = below.exec(path) ?? [];
  if (segment !== '' || inside.startsWith('/')) return { segment, inside };
  const [, start, behind = '', rest = '', query = ''] = wellKnown.exec(path) ?? [];
  if (start === undefined) return undefined;
  return { segment: behind, inside: start + (rest === '/' ? '' : rest) + query };
}

function faultOf(segment: string): string | undefined {
  if (segment.startsWith('~')) return undefined;
  if (!isSandboxName(segment)) {
    return 'The sandbox name after /s/ must be 1 to 64 letters, digits, dots, underscores and hyphens.';
  }
  // Clients that resolve links would leave the sandbox (RFC 3986 section 5.2.4).
  if (segment === '.' || segment === '..') {
    return 'The sandboxes . and .. have no URL, because clients treat them as path steps. Use X-Sandbox instead.';
  }
  return undefined;
}

/** Returns the prefix of paths in links of the response; empty outside of a sandbox's path. */
export function prefixOf({ sandboxAddress }: IncomingMessage): string {
  return sandboxAddress === undefined ? '' : sandboxAddress.prefix;
}

export function sentTargetOf({ sandboxAddress, mount, url = '' }: IncomingMessage): string {
  return (sandboxAddress ?? mount)?.sentTarget ?? url;
}

/** Returns the path of a request as it was sent, without its query. */
export function sentPathOf({ raw }: Request): string {
  return originForm(sentTargetOf(raw)).split(/[?#]/, 1)[0] ?? '/';
}

/** Returns the path of a base URL, which precedes each path of the service. */
export function basePathOf(baseUrl: string): string {
  return baseUrl.replace(/^[^:]+:\/\/[^/]*/, '');
}

/** Returns the base URL without the sandbox of the request's path. */
export function rootUrl(baseUrl: string, request: IncomingMessage): string {
  return baseUrl.slice(0, baseUrl.length - prefixOf(request).length);
}
