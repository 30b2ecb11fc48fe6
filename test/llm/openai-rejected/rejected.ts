/** A request that an OpenAI endpoint rejects, and its error. */

export interface Rejected {
  readonly title: string;
  /** Replaces members of a right body; `undefined` removes one. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Default: 400. */
  readonly status?: number;
  readonly param: string | null;
  readonly code: string | null;
  readonly message: string;
}

export const user = (content: unknown) => ({ role: 'user', content });

export const hello = user('Hello');

/** A tool of a chat completion. */
export const chatTool = (change: object = {}) => ({
  type: 'function',
  function: { name: 'weather', ...change },
});
