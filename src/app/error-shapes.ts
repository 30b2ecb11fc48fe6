/** Failures in the shapes that areas have beside the common one. */

import type { ShapedFailure } from '../faults/wire/failure-response.js';
import type { Request } from '../http/exchange.js';
import type { ErrorBody } from '../http/http-error.js';
import type { Area, Services } from '../kit/area.js';
import { isBelow } from './fixed-headers.js';

/** A failure in the shape that its request asks for; `undefined` where that is the common one. */
export type ShapeError = (request: Request, error: ErrorBody) => ShapedFailure | undefined;

export function errorShapes(
  areas: readonly Area[],
  { baseUrlOf }: Pick<Services, 'baseUrlOf'>,
): ShapeError {
  const shapes = areas.flatMap(({ errorShape = [] }) => errorShape);
  return (request, error) => {
    // Who asks for nothing gets what everybody gets.
    if (request.headers.accept === undefined) return undefined;
    const found = shapes.find(({ below }) => below.some((path) => isBelow(request.url, path)));
    return found?.shape(request, error, baseUrlOf(request));
  };
}
