/** The endpoints of each area, as the front page lists them when the area is opened. */

import type { Area } from '../../kit/area.js';
import type { OperationSummary } from '../../kit/route-catalogue.js';
import type { Endpoint } from './endpoint.js';

export function listEndpoints(
  areas: readonly Area[],
  operations: readonly OperationSummary[],
): Readonly<Record<string, readonly Endpoint[]>> {
  return Object.fromEntries(
    areas.map((area) => {
      const { name, front } = area;
      const { isShown, guideOf, parts = [] } = front;
      const listed = operations.filter((each) => each.area === name);
      const shown = isShown ? listed.filter(({ path }) => isShown(path)) : listed;
      return [
        name,
        [
          ...parts.map(({ path, says }) => ({ methods: ['GET'], path, summary: says })),
          ...groupByPath(shown, guideOf),
        ],
      ];
    }),
  );
}

function groupByPath(
  operations: readonly OperationSummary[],
  guideOf: Area['front']['guideOf'],
): Endpoint[] {
  const endpoints = new Map<string, Endpoint>();
  for (const { method, path, summary, operationId } of operations) {
    const key = `${path} ${summary}`;
    const known = endpoints.get(key);
    const guide = guideOf?.(path);
    endpoints.set(key, {
      operationId,
      ...known,
      methods: [...(known?.methods ?? []), method],
      path,
      summary,
      ...(guide !== undefined && { guide }),
    });
  }
  return [...endpoints.values()];
}
