/** The service as connections see it: how requests enter it, and how what is no request is rejected. */

import { enterSandbox } from '../http/address/sandbox-address.js';
import { errorBody, jsonContentType } from '../http/http-error.js';
import { newRequestId, requestIdOf } from '../http/request-id.js';
import type { Area } from '../kit/area.js';
import type { Reject, RequestListener, WireService } from '../wire/wire-service.js';

export const reject: Reject = (status, message, request) => {
  const body = JSON.stringify(errorBody(status, message));
  const headers = {
    'content-type': jsonContentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
    'x-request-id': request === undefined ? newRequestId() : requestIdOf(request),
  };
  return { headers, body };
};

export function wireService(areas: readonly Area[], handle: RequestListener): WireService {
  const rawPaths = areas.flatMap(({ provides }) => provides?.rawPaths ?? []);
  return {
    handle,
    reject,
    enter: enterSandbox,
    rawTargets: targetsBelow(rawPaths),
  };
}

/** Returns a pattern of targets that are one of these paths or below it, with or without scheme and host. */
function targetsBelow(paths: readonly string[]): RegExp {
  const escaped = paths.map((path) => path.replace(/[^\w/-]/g, '\\$&'));
  const any = escaped.join('|') || '(?!)';
  return new RegExp(`^(?:[a-z][a-z\\d+.-]*://[^/?]*)?(?:${any})(?![^/?;])`, 'i');
}
