import { buildClientSchema, buildSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

describe('introspection is on by default', () => {
  const service = useService();
  const graphql = useGraphQL(service);

  test('introspection returns the same schema as ?sdl, with every description', async () => {
    const data = await graphql.data(getIntrospectionQuery());
    const sdl = (await service.send('GET /graphql?sdl')).text;
    expect(printSchema(buildClientSchema(data))).toBe(printSchema(buildSchema(sdl)));
  });

  test('every type and every field of the roots has a description', async () => {
    const { __schema: schema } = await graphql.data(getIntrospectionQuery());
    const own = schema.types.filter(
      ({ name }: { name: string }) => !/^__|^(Int|Float)$/.test(name),
    );
    for (const { name, description, fields } of own) {
      expect(description, name).toBeTruthy();
      const size = { Query: 20, Mutation: 6, Subscription: 5 }[name as string];
      if (size === undefined) continue;
      for (const field of fields) expect(field.description, field.name).toBeTruthy();
      expect(fields).toHaveLength(size);
    }
  });
});

describe('INTROSPECTION=off', () => {
  const service = useService({ introspection: 'off' });
  const graphql = useGraphQL(service);

  test.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "Book") { name } }',
    '{ users { id } ...F } fragment F on Query { s: __schema { queryType { name } } }',
    getIntrospectionQuery(),
  ])('%s → 400', async (query) => {
    const { status, errors } = await graphql.run(query);
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('INTROSPECTION_DISABLED');
    expect(errors[0].message).toContain('disabled');
  });

  test('__typename still works', async () => {
    expect(await graphql.data('{ __typename user(id: 1) { __typename } }')).toEqual({
      __typename: 'Query',
      user: { __typename: 'User' },
    });
  });

  test('?sdl → 400', async () => {
    const { status, errors } = await graphql.send('GET /graphql?sdl');
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('INTROSPECTION_DISABLED');
  });
});
