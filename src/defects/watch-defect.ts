/** Notes which defects have changed a request whose effects are stored: later responses show them. */

import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '#http/exchange.js';
import type { Sandbox } from '#state/state.js';
import type { Defect } from './defect.js';
import { changeHunt } from './hunts-in-state.js';

/** Returns the defect with functions that call `note` once they change something. */
export function watchDefect(defect: Defect, note: () => void): Defect {
  const { before, body, input, state } = defect;
  const compare = (one: unknown, other: unknown) => {
    if (!isDeepStrictEqual(one, other)) note();
  };
  return {
    ...defect,
    ...(before && {
      before(request) {
        const sent = [request.url, ...request.raw.rawHeaders];
        before(request);
        compare(sent, [request.url, ...request.raw.rawHeaders]);
      },
    }),
    ...(body && {
      body(bytes, request) {
        const changed = body(bytes, request);
        compare(bytes, changed);
        return changed;
      },
    }),
    ...(input && {
      input(request) {
        const { body: sent } = request;
        const done = input(request);
        compare(sent, request.body);
        return done;
      },
    }),
    ...(state && { state: (request) => watchState(state(request), compare) }),
  };
}

function watchState(
  { read, write, ...others }: ReturnType<NonNullable<Defect['state']>>,
  compare: (one: unknown, other: unknown) => void,
) {
  return {
    ...others,
    ...(read && {
      read(space: string, value: unknown) {
        const changed = read(space, value);
        compare(value, changed);
        return changed;
      },
    }),
    ...(write && {
      write(asked: Parameters<typeof write>[0]) {
        const done = write(asked);
        compare(asked.value, done?.value);
        if (done === undefined) compare(asked, done);
        return done;
      },
    }),
  };
}

/** Watches the defects of a request whose effects are stored, and notes those that changed it. */
export function watchStoring(
  sandbox: Sandbox,
  defects: readonly Defect[],
  reply: Reply,
): readonly Defect[] {
  if (defects.every(({ stores }) => stores === undefined)) return defects;
  const changed = new Set<string>();
  const { observe } = reply;
  reply.observe = async (payload) => {
    await observe?.(payload);
    // A failed request stores nothing.
    if (changed.size > 0 && reply.statusCode < 400) await noteMet(sandbox, [...changed]);
  };
  return defects.map((defect) =>
    defect.stores === undefined ? defect : watchDefect(defect, () => changed.add(defect.id)),
  );
}

async function noteMet(sandbox: Sandbox, ids: readonly string[]): Promise<void> {
  try {
    await changeHunt(sandbox, (hunt) => ({
      value: hunt && { ...hunt, met: [...new Set([...hunt.met, ...ids])] },
      result: undefined,
    }));
  } catch {
    // While the state is away or full, the response is sent nevertheless.
  }
}
