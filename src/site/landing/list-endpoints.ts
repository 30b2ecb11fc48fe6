/**
 * Lists the endpoints of each area for the front page, which shows them when the area is opened.
 */

import type { Area } from '../../kit/area.js';
import type { OperationSummary } from '../../kit/route-catalogue.js';

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
  const entries = areas.map(({ name, front: { isShown = () => true, guideOf, parts = [] } }) => {
    const shown = operations.filter(({ area, path }) => area === name && isShown(path));
    const ofParts = parts.map(({ path, says }) => ({ methods: ['GET'], path, summary: says }));
    return [name, [...ofParts, ...groupByPath(shown, guideOf)]];
  });
  return Object.fromEntries(entries);
}

function groupByPath(
  operations: readonly OperationSummary[],
  guideOf: Area['front']['guideOf'],
): Endpoint[] {
  const endpoints = new Map<string, Endpoint>();
  for (const { methods, path, summary, operationId } of operations) {
    const key = `${path} ${summary}`;
    const known = endpoints.get(key);
    const guide = guideOf?.(path);
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
