/** Defects: behaviour of endpoints that differs from the documented one, in one sandbox. */

import type { Request } from '#http/exchange.js';
import type { SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import type { ReplayedRequest } from '#kit/replays/replays.js';
import { huntLevels } from '#kit/sandbox/hunts-space.js';
import type { SandboxChanges } from '#state/copy/changed-sandbox.js';
import type { SentResponse } from './sent-response.js';

/** One response shows a bug for juniors, two requests one for the middle, and more requests one for seniors. */
export const defectLevels = huntLevels;
export type DefectLevel = (typeof defectLevels)[number];

/** Kinds that scanners report. The first six are risks of the OWASP API Security Top 10 of 2023. */
export const defectKinds = [
  'object-level-authorization',
  'authentication',
  'property-level-authorization',
  'resource-consumption',
  'function-level-authorization',
  'security-misconfiguration',
  'caching',
  'concurrency',
  'filtering',
  'headers',
  'pagination',
  'protocol',
  'representation',
  'status',
  'stored-data',
  'time',
] as const;
export type DefectKind = (typeof defectKinds)[number];

/** A request as it was sent, without the prefix of a sandbox. */
export type SentRequest = Pick<ReplayedRequest, 'target' | 'headers' | 'body'>;

export interface DefectText {
  /** Kebab-case, and never reused: sandboxes store it. */
  readonly id: string;
  readonly level: DefectLevel;
  readonly kind: DefectKind;
  readonly area: string;
  /** Methods with paths of endpoints, such as `GET /api/Events/:id`. */
  readonly endpoints: readonly string[];
  /** The wrong behaviour, in a sentence. */
  readonly wrong: string;
  /** The documented behaviour, in a sentence. */
  readonly right: string;
  /** Beginnings of paths whose later responses show what it stored. */
  readonly stores?: readonly string[];
  /** The later request that shows what was stored, if the response itself is as documented. */
  readonly shownBy?: (sent: SentRequest) => Partial<ReplayedRequest> & { readonly target: string };
  /** Whether it appears only if the request is sent twice at once. */
  readonly isAtOnce?: true;
}

export interface DefectEffects {
  /** Changes the request before anything of it is parsed. */
  readonly before: (request: Request) => void;
  /** Changes the bytes of the body. */
  readonly body: (bytes: Buffer, request: Request) => Buffer;
  /** Changes the parsed input. */
  readonly input: (request: Request) => Promise<void> | void;
  /** Changes what the endpoint reads and writes. */
  readonly state: (request: Request) => SandboxChanges;
  /** Changes the response. */
  readonly after: (response: SentResponse, request: Request) => void;
}

export type Defect = DefectText & SomeOf<DefectEffects>;

/** Defects as a catalogue file lists them: the area is the same for all. */
export function defectsOf(
  area: string,
  defects: Readonly<Record<string, Omit<DefectText, 'id' | 'area'> & SomeOf<DefectEffects>>>,
): readonly Defect[] {
  return Object.entries(defects).map(([id, defect]) => ({ id, area, ...defect }));
}
