/** The service as connections use it: how requests enter it, and how invalid ones are rejected. */

import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { enterMount, rewriteTarget } from '#http/address/mount.js';
import { enterSandbox } from '#http/address/sandbox-address.js';
import { errorBody, jsonContentType } from '#http/http-error.js';
import { newRequestId, requestIdOf } from '#http/request-id.js';
import {
  type EnterByKey,
  enterByKeyToken,
  type OwnHost,
  ownHostToken,
  type Rewriter,
  rawPathToken,
  rewriterToken,
  type ShapeRejection,
  shapeRejectionToken,
} from '#kit/offers/entries.js';
import type { Offers } from '#kit/offers/offers.js';
import type { Reject, RequestListener, WireService } from '#wire/wire-service.js';

function rejectBy(shapes: readonly ShapeRejection[]): Reject {
  return (status, message, request) => {
    const shaped = request && shapes.map((shape) => shape(request, status, message)).find(Boolean);
    const body = shaped?.body ?? JSON.stringify(errorBody(status, message));
    const headers = {
      'content-type': jsonContentType,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-request-id': request === undefined ? newRequestId() : requestIdOf(request),
      ...shaped?.headers,
    };
    return { status: shaped?.status ?? status, headers, body };
  };
}

export function wireService(offers: Offers, handle: RequestListener, log: Logger): WireService {
  const rewriters = offers.all(rewriterToken).filter((rewrite) => rewrite !== undefined);
  const hosts = offers.all(ownHostToken);
  const keyed = offers.all(enterByKeyToken);
  return {
    handle,
    reject: rejectBy(offers.all(shapeRejectionToken)),
    enter: (request) => enter(request, { hosts, rewriters, keyed }),
    rawTargets: targetsBelow(offers.all(rawPathToken)),
    reportError(error, request) {
      const requestId = request && requestIdOf(request);
      log.error({ err: error, requestId }, 'connection failed');
    },
  };
}

/** Returns the same service for a port where each target is below a prefix. */
export function mountedService(service: WireService, prefix: string): WireService {
  return {
    ...service,
    enter(request) {
      enterSandbox(request);
      enterMount(request, prefix);
      service.enter(request);
    },
  };
}

interface Entries {
  readonly hosts: readonly OwnHost[];
  readonly rewriters: readonly Rewriter[];
  readonly keyed: readonly EnterByKey[];
}

function enter(request: IncomingMessage, { hosts, rewriters, keyed }: Entries): void {
  if (request.mount === undefined) {
    enterSandbox(request);
    const { host = '' } = request.headers;
    const own = host.includes('.') ? hosts.find((each) => isAt(host, each)) : undefined;
    if (own !== undefined) enterMount(request, own.prefix);
  }
  for (const rewrite of rewriters) {
    const { url = '' } = request;
    const target = rewrite(url);
    if (target !== url) rewriteTarget(request, target);
  }
  for (const enterByKey of keyed) enterByKey(request);
}

/** Returns whether a Host header names a host, with any port or none. */
function isAt(sentHost: string, { host }: OwnHost): boolean {
  const end = sentHost[host.length];
  return (
    (end === undefined || end === ':') && sentHost.slice(0, host.length).toLowerCase() === host
  );
}

/** Returns a pattern of targets that are one of these paths or below it, with or without scheme and host. */
function targetsBelow(paths: readonly string[]): RegExp {
  const escaped = paths.map((path) => path.replace(/[^\w/-]/g, '\\$&'));
  const any = escaped.join('|') || '(?!)';
  return new RegExp(`^(?:[a-z][a-z\\d+.-]*://[^/?]*)?(?:${any})(?![^/?;])`, 'i');
}
