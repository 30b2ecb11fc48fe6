/** The bin of an address, where the caller may see it. */

import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import { givenNameOf, type Log, ownerOf, type Sandbox } from '../../state/state.js';
import { type Bin, binsSpace } from './bins.js';
import type { CapturedItem } from './capture-request.js';

export interface FoundBin {
  readonly bin: Bin;
  readonly sandbox: Sandbox;
  readonly log: Log<CapturedItem>;
}

/** Throws 404 unless the caller may see the bin. */
export async function findBin(
  { sandboxOf, sandboxHolding }: Pick<Services, 'sandboxOf' | 'sandboxHolding'>,
  request: Request,
  id: string,
): Promise<FoundBin> {
  const own = sandboxOf(request);
  const found = await binIn(own, id);
  if (found !== undefined) return found;
  // Who names no sandbox may follow an address into one: knowing the id is what lets them in, but
  // not into those of another account.
  const holder = givenNameOf(own.name) === '' ? await sandboxHolding(binsSpace, id) : undefined;
  const isReachable = holder !== undefined && ownerOf(holder.name) === ownerOf(own.name);
  const held = isReachable ? await binIn(holder, id) : undefined;
  if (held === undefined) throw unknownBin();
  return held;
}

async function binIn(sandbox: Sandbox, id: string): Promise<FoundBin | undefined> {
  const bin = await sandbox.read(binsSpace, id);
  return bin && { bin, sandbox, log: sandbox.log(binsSpace, id) };
}

export function unknownBin(): HttpError {
  return new HttpError(
    404,
    'There is no bin of this id; it may have been deleted, or evicted by newer ones. POST /api/webhooks/bins creates one.',
  );
}
