/** Base URLs of the endpoints of a provider: at the usual base URL, or in a case of a run. */

import type { Request } from '#http/exchange.js';
import type { TestCase } from '#kit/verdict/test-runs.js';
import type { Generation, Provider, ProviderName } from './provider.js';

export const root = '/llm';
export const basePaths = {
  openai: `${root}/openai/v1`,
  anthropic: `${root}/anthropic/v1`,
  gemini: `${root}/gemini/v1beta`,
  ollama: `${root}/ollama/api`,
} as const;

/** Paths of the endpoints that continue a conversation. */
export const generationPaths = {
  chat: `${basePaths.openai}/chat/completions`,
  responses: `${basePaths.openai}/responses`,
  messages: `${basePaths.anthropic}/messages`,
  gemini: `${basePaths.gemini}/models/practice-1:streamGenerateContent`,
  ollama: `${basePaths.ollama}/chat`,
} as const satisfies Readonly<Record<Generation['kind'], string>>;

/** Ends of paths that the SDKs add to a wrong base URL. */
const lost: Readonly<Record<ProviderName, readonly string[]>> = {
  openai: ['/chat/completions', '/responses', '/embeddings', '/v1/models'],
  anthropic: ['/v1/messages'],
  gemini: [':generateContent', ':streamGenerateContent', ':countTokens', '/v1beta/models'],
  ollama: ['/api/chat', '/api/generate', '/api/embed', '/api/tags'],
};

export const lostPaths = Object.values(lost).flat();

/** Returns the provider whose SDK adds the end of a path. */
const loserOf = (path: string): ProviderName | undefined =>
  (Object.keys(lost) as ProviderName[]).find((name) =>
    lost[name].some((end) => path.endsWith(end)),
  );

/** Returns the name of the provider that a path belongs to; `undefined` for other endpoints of the area. */
export function providerNameOf({ url }: Pick<Request, 'url'>): ProviderName | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const found = (Object.keys(lost) as ProviderName[]).find(
    (name) =>
      path.startsWith(`${root}/${name}/`) ||
      (path.startsWith(`${runsPath}/`) && path.includes(`/${name}/`)),
  );
  return found ?? loserOf(path);
}

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
