/** Third-party GraphQL clients, with their default headers and transports. */

import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import axios from 'axios';
import { auditServer } from 'graphql-http';
import { ClientError, GraphQLClient } from 'graphql-request';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const endpoint = () => `${service.url}/graphql`;

const oneBook = 'query Book($id: Int!) { book(id: $id) { id title tags } }';
const addTodo =
  'mutation Add($title: String!, $priority: String!) { addTodo(title: $title, userId: 1, priority: $priority) { id title priority completed } }';
const unknownField = '{ books { titel } }';

const hobbit = { id: 1, title: 'The Hobbit' };

describe('Apollo Client', () => {
  const client = () =>
    new ApolloClient({ link: new HttpLink({ uri: endpoint() }), cache: new InMemoryCache() });

  test('runs a query', async () => {
    const { data } = await client().query({ query: gql(oneBook), variables: { id: 1 } });
    expect(data).toMatchObject({ book: { ...hobbit, __typename: 'Book' } });
  });

  test('runs a mutation with variables', async () => {
    const variables = { title: 'From Apollo', priority: 'HIGH' };
    const { data } = await client().mutate({ mutation: gql(addTodo), variables });
    expect(data).toMatchObject({ addTodo: { title: 'From Apollo', priority: 'high' } });
  });

  test('reads a request error', async () => {
    const failure = await client()
      .query({ query: gql(unknownField) })
      .catch((error) => error);
    expect(CombinedGraphQLErrors.is(failure)).toBe(true);
    expect(failure.errors[0].message).toContain('Did you mean "title"?');
    expect(failure.errors[0].extensions.field).toBe('titel');
  });

  test('reads a field error', async () => {
    const variables = { title: 'x', priority: 'urgent' };
    const failure = await client()
      .mutate({ mutation: gql(addTodo), variables })
      .catch((error) => error);
    expect(CombinedGraphQLErrors.is(failure)).toBe(true);
    expect(failure.errors[0]).toMatchObject({
      path: ['addTodo'],
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

describe('urql', () => {
  const client = (options: { preferGetMethod?: boolean } = {}) =>
    new Client({ url: endpoint(), exchanges: [cacheExchange, fetchExchange], ...options });

  test.each([false, true])('runs a query, preferring GET: %s', async (preferGetMethod) => {
    const { data, error } = await client({ preferGetMethod }).query(oneBook, { id: 1 });
    expect(error).toBeUndefined();
    expect(data.book).toMatchObject(hobbit);
  });

  test('runs a mutation with variables', async () => {
    const { data } = await client().mutation(addTodo, { title: 'From urql', priority: 'low' });
    expect(data.addTodo).toMatchObject({ title: 'From urql', priority: 'low' });
  });

  test('reads a request error', async () => {
    const { data, error } = await client().query(unknownField, {});
    expect(data).toBeUndefined();
    expect(error?.graphQLErrors[0]?.message).toContain('Did you mean "title"?');
  });

  test('reads a field error', async () => {
    const { error } = await client().mutation(addTodo, { title: 'x', priority: 'urgent' });
    expect(error?.graphQLErrors[0]?.path).toEqual(['addTodo']);
  });
});

describe('graphql-request', () => {
  const client = () => new GraphQLClient(endpoint());

  test('runs a query', async () => {
    expect(await client().request(oneBook, { id: 1 })).toMatchObject({ book: hobbit });
  });

  test('runs a mutation with variables', async () => {
    const variables = { title: 'From graphql-request', priority: 'medium' };
    expect(await client().request(addTodo, variables)).toMatchObject({
      addTodo: { title: 'From graphql-request', completed: false },
    });
  });

  test('reads a request error', async () => {
    const failure = await client()
      .request(unknownField)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(ClientError);
    expect(failure.response.status).toBe(400);
    expect(failure.response.errors[0].message).toContain('Did you mean "title"?');
  });

  test('reads a field error', async () => {
    const failure = await client()
      .request(addTodo, { title: 'x', priority: 'urgent' })
      .catch((error) => error);
    expect(failure.response.status).toBe(200);
    expect(failure.response.errors[0].path).toEqual(['addTodo']);
  });
});

test('axios gets the newer media type parsed as JSON', async () => {
  const { data, headers } = await axios.post(endpoint(), {
    query: oneBook,
    variables: { id: 1 },
  });
  expect(headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
  expect(data.data.book).toMatchObject(hobbit);
});

test('the GraphQL-over-HTTP audits find no error, and only the intended warnings', async () => {
  const results = await auditServer({ url: endpoint(), fetchFn: fetch });
  const withStatus = (status: string) =>
    results.filter((result) => result.status === status).map(({ id, name }) => `${id} ${name}`);
  expect(results.length).toBeGreaterThan(50);
  expect(withStatus('error')).toEqual([]);
  expect(withStatus('notice')).toEqual([]);
  // Both expect application/json for clients that do not request the newer type; this service sends
  // the newer one.
  expect(withStatus('warn').map((line) => line.slice(0, 4))).toEqual(['47DE', '80D8']);
});
