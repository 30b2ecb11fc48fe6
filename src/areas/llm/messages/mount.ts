/** Base URLs of the endpoints of a provider: at the usual base URL, or in a case of a run. */

import type { Request } from '#http/exchange.js';
import type { TestCase } from '#kit/verdict/test-runs.js';
import type { Generation, Provider } from './provider.js';

export const root = '/llm';
export const basePaths = {
  openai: `${root}/openai/v1`,
  anthropic: `${root}/anthropic/v1`,
} as const;

/** Paths of the endpoints that continue a conversation. */
export const generationPaths = {
  chat: `${basePaths.openai}/chat/completions`,
  responses: `${basePaths.openai}/responses`,
  messages: `${basePaths.anthropic}/messages`,
} as const satisfies Readonly<Record<Generation['kind'], string>>;

/** Ends of paths that the SDKs add to a wrong base URL. */
export const lostPaths = [
  '/chat/completions',
  '/responses',
  '/embeddings',
  '/v1/models',
  '/v1/messages',
];

export const planPath = '/llm/test-plan';
export const runsPath = `${planPath}/runs`;

export interface Mount {
  readonly provider: Provider;
  /** Path of the base URL, such as `/llm/openai/v1`. */
  readonly path: string;
  readonly isOfRun: boolean;
}

/** Returns the case of the run that the URL has; `undefined` at the usual base URL. */
export function runCaseOf({ params }: Pick<Request, 'params'>): TestCase | undefined {
  const { run, name } = (params ?? {}) as { run?: string; name?: string };
  return run === undefined || name === undefined ? undefined : { run, name };
}
