/** Defects: behaviour of endpoints that differs from the documented one, in one sandbox. */

import type { Request } from '../http/exchange.js';
import type { SandboxChanges } from '../state/copy/changed-sandbox.js';
import type { SentResponse } from './sent-response.js';

/** Seniors also get the defects that need several steps or unusual values. */
export const defectLevels = ['junior', 'senior'] as const;
export type DefectLevel = (typeof defectLevels)[number];

export interface Defect {
  /** Kebab-case, and never reused: sandboxes store it. */
  readonly id: string;
  readonly level: DefectLevel;
  readonly area: string;
  /** Methods with paths of endpoints, such as `GET /api/Events/:id`. */
  readonly endpoints: readonly string[];
  /** The wrong behaviour, in a sentence. */
  readonly wrong: string;
  /** The documented behaviour, in a sentence. */
  readonly right: string;
  /** Changes the request before anything of it is parsed. */
  readonly before?: (request: Request) => void;
  /** Changes the bytes of the body. */
  readonly body?: (bytes: Buffer, request: Request) => Buffer;
  /** Changes the parsed input. */
  readonly input?: (request: Request) => void;
  /** Changes what the endpoint reads and writes. */
  readonly state?: (request: Request) => SandboxChanges;
  /** Changes the response. */
  readonly after?: (response: SentResponse, request: Request) => void;
}

/** Defects as a catalogue file lists them: the area is the same for all. */
export function defectsOf(
  area: string,
  defects: Readonly<Record<string, Omit<Defect, 'id' | 'area'>>>,
): readonly Defect[] {
  return Object.entries(defects).map(([id, defect]) => ({ id, area, ...defect }));
}
