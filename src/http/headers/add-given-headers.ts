/** Adds headers that a caller chose to a response. */

import type { Reply } from '../exchange.js';
import { keepLetterCase } from './head-form.js';
import { type GivenHeaders, headersByName } from './settable-headers.js';

/** Headers that select the sandbox if the URL does not. */
const ofSandbox = 'X-Sandbox, X-Service-Key';

const cacheControl = /(?:^|-)cache-control$/;

/**
 * Sets each header in its letter case, instead of the service's own header of the name. `Vary` is added to
 * the service's own, and a response that the caller makes cacheable varies by the sandbox: a shared cache
 * would mix up callers.
 */
export function addGivenHeaders(reply: Reply, headers: GivenHeaders): void {
  const given = headersByName(headers);
  const isCacheable = [...given.keys()].some((name) => cacheControl.test(name));
  const varies = varyOf(reply, isCacheable);
  for (const [name, value] of given) reply.header(name, value);
  // One line, because some caches read only one.
  const vary = [varies ?? [], given.get('vary') ?? []].flat().filter((value) => value !== '');
  if (varies !== undefined) reply.header('vary', vary.join(', '));
  keepLetterCase(reply, headers);
}

function varyOf(reply: Reply, isCacheable: boolean): string | undefined {
  const before = reply.getHeader('vary');
  const known = before === undefined ? [] : [String(before)];
  const isInUrl = reply.request.raw.sandboxAddress !== undefined;
  if (isCacheable && !isInUrl && !String(before).includes(ofSandbox)) known.push(ofSandbox);
  return known.length === 0 ? undefined : known.join(', ');
}
