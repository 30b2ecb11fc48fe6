/**
 * Lists the endpoints of each area for the front page, which shows them when the area is opened.
 */

import type { Area } from '#kit/area.js';
import { isListed, partAt } from '#kit/describe/area-part.js';
import type { OperationSummary } from '#kit/route-catalogue.js';

/** An endpoint on the front page; its script reads the same object. */
export interface Endpoint {
  /** Methods with the same behaviour at the same path, listed together. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly summary: string;
  /** Id of the operation in the reference, after the name of the area. */
  readonly operationId?: string;
  /** The separate guide of the endpoint, if any. */
  readonly guide?: string;
}

export function listEndpoints(
  areas: readonly Area[],
  operations: readonly OperationSummary[],
): Readonly<Record<string, readonly Endpoint[]>> {
  const entries = areas.map((area) => {
    const { name, front } = area;
    const shown = operations.filter((each) => each.area === name && isListed(area, each.path));
    const ofParts = (front.parts ?? []).flatMap(({ path, says }) =>
      says === undefined ? [] : { methods: ['GET'], path, summary: says },
    );
    return [name, [...ofParts, ...groupByPath(shown, area)]];
  });
  return Object.fromEntries(entries);
}

function groupByPath(operations: readonly OperationSummary[], area: Area): Endpoint[] {
  const endpoints = new Map<string, Endpoint>();
  for (const { methods, path, summary, operationId } of operations) {
    const key = `${path} ${summary}`;
    const known = endpoints.get(key);
    const guide = partAt(area, path)?.guide;
    endpoints.set(key, {
      operationId,
      ...known,
      methods: [...(known?.methods ?? []), ...methods],
      path,
      summary,
      ...(guide !== undefined && { guide }),
    });
  }
  return [...endpoints.values()];
}
