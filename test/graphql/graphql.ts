/** GraphQL requests for tests, with the checks that every GraphQL response must pass. */

import { expect } from 'vitest';
import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

export interface GraphQLResponse extends HttpResponse {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the data
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly errors: any;
}

type Variables = Readonly<Record<string, unknown>>;

export interface TestGraphQL {
  /** Posts a document and its variables, without an Accept header. */
  readonly run: (query: string, variables?: Variables) => Promise<GraphQLResponse>;
  /** Posts a document that must succeed, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly data: (query: string, variables?: Variables) => Promise<any>;
  /** Posts any JSON body. */
  readonly post: (json: unknown, headers?: Record<string, string>) => Promise<GraphQLResponse>;
  readonly send: (target: string, options?: SendOptions) => Promise<GraphQLResponse>;
}

export function useGraphQL(service: TestService): TestGraphQL {
  const send = async (target: string, options?: SendOptions) => {
    const response = await service.send(target, options);
    const { data, errors } = checkShape(response);
    return { ...response, json: response.json, data, errors };
  };
  const post: TestGraphQL['post'] = (json, headers = {}) =>
    send('POST /graphql', { json, headers });
  const run: TestGraphQL['run'] = (query, variables) =>
    post({ query, ...(variables && { variables }) });
  return {
    run,
    post,
    send,
    data: async (query, variables) => {
      const { status, data, errors } = await run(query, variables);
      expect(errors).toBeUndefined();
      expect(status).toBe(200);
      return data;
    },
  };
}

const errorMembers = ['message', 'locations', 'path', 'extensions'];

/** Section 7.1 of the GraphQL specification, and further promises of this service. */
function checkShape({ status, headers, text, json }: HttpResponse) {
  expect(headers['content-type']).toMatch(
    /^application\/(graphql-response\+)?json; charset=utf-8$/,
  );
  const where = `${status} ${text.slice(0, 300)}`;
  expect(status, where).toBeLessThan(500);
  const members = Object.keys(json);
  expect([['data'], ['errors'], ['errors', 'data']], where).toContainEqual(members);
  expect(text, `${where} is compact`).toBe(JSON.stringify(json));
  if (!json.errors) return json;
  expect(json.errors.length, where).toBeGreaterThan(0);
  expect(json.errors.length, where).toBeLessThanOrEqual(5);
  for (const error of json.errors) {
    const names = Object.keys(error);
    expect(names, where).toEqual(errorMembers.filter((name) => names.includes(name)));
    expect(error.message.length, where).toBeGreaterThan(0);
    for (const { line, column } of error.locations ?? []) {
      expect(line, where).toBeGreaterThan(0);
      expect(column, where).toBeGreaterThan(0);
    }
    for (const list of [error.locations, error.path]) expect(list, where).not.toEqual([]);
    const { code, specifiedBy } = error.extensions;
    expect(code ?? specifiedBy, `${where} says which rule or code`).toBeTruthy();
    if (specifiedBy) {
      expect(specifiedBy).toMatch(/^https:\/\/spec\.graphql\.org\/October2021\/#sec-[\w-]+$/);
    }
    // Field errors, and only they, have a path in the response.
    expect('path' in error, where).toBe('data' in json);
  }
  return json;
}
