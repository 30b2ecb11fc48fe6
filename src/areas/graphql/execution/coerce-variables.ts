/**
 * Coerces the values of variables as graphql-js does; recognises plain values of plain types
 * without it.
 */

import {
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  print,
  type TypeNode,
} from 'graphql';
import { type ErrorEntry, formatError } from '../outcome/format-error.js';
import { limits } from '../outcome/limits.js';

export type Variables = Readonly<Record<string, unknown>>;

type Coerced = { readonly variables: Variables } | { readonly errors: readonly ErrorEntry[] };

/** Accepts the values as they were sent. */
export type Coercion = (given: Variables | undefined) => Coerced;

const nothing: Variables = {};

export function createCoercion(
  schema: GraphQLSchema,
  { variableDefinitions: definitions = [] }: OperationDefinitionNode,
): Coercion {
  const checks = definitions.map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    isPlain: plainCheck(type),
    mayBeAbsent: type.kind !== Kind.NON_NULL_TYPE && defaultValue === undefined,
  }));
  return (given = nothing) => {
    const variables: Record<string, unknown> = {};
    for (const { name, isPlain, mayBeAbsent } of checks) {
      if (Object.hasOwn(given, name)) {
        const value = given[name];
        if (!isPlain?.(value)) return coerceFully(schema, definitions, given);
        variables[name] = value;
      } else if (!mayBeAbsent) {
        return coerceFully(schema, definitions, given);
      }
    }
    return { variables };
  };
}

function coerceFully(
  schema: GraphQLSchema,
  definitions: NonNullable<OperationDefinitionNode['variableDefinitions']>,
  given: Variables,
): Coerced {
  const { errors, coerced } = getVariableValues(schema, definitions, given, {
    maxErrors: limits.errors,
  });
  if (errors === undefined) return { variables: coerced };
  return {
    errors: errors.slice(0, limits.errors).map((error) => {
      const definition = definitions.find((each) => each === error.nodes?.[0]);
      return formatError(error, {
        code: 'VARIABLE_INVALID',
        ...(definition && {
          variable: definition.variable.name.value,
          variableType: print(definition.type),
        }),
      });
    }),
  };
}

type Check = (value: unknown) => boolean;

/** Values that graphql-js would leave unchanged, by type. */
const plainChecks: Readonly<Record<string, Check>> = {
  // The bitwise OR is equal exactly for 32-bit integers.
  Int: (value) => typeof value === 'number' && (value | 0) === value,
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
};

function plainCheck(type: TypeNode): Check | undefined {
  if (type.kind === Kind.NAMED_TYPE) return plainChecks[type.name.value];
  return type.kind === Kind.NON_NULL_TYPE ? plainCheck(type.type) : undefined;
}
