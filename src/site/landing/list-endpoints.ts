/** The endpoints of each area, as the front page lists them when the area is opened. */

import type { Area } from '../../kit/area.js';
import type { OperationSummary } from '../../kit/route-catalogue.js';

/** An endpoint as the front page lists it; its script reads the same. */
export interface Endpoint {
  /** Methods that do the same at the same path stand together. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly summary: string;
  /** Where the reference has it, behind the name of the area. */
  readonly operationId?: string;
  /** The page of the guides that teaches it, where there is one of its own. */
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
