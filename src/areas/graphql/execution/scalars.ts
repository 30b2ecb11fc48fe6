/**
 * The scalars Decimal and Long, both JSON numbers. A Long beyond 2^53 is rejected, because most
 * programs would round it.
 */

import { GraphQLError, Kind, print, type ValueNode } from 'graphql';

export const decimal = {
  serialize: checkDecimal,
  parseValue: checkDecimal,
  parseLiteral(node: ValueNode): number {
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) {
      throw new GraphQLError(`A Decimal must be a number without quotes; got ${print(node)}.`);
    }
    return checkDecimal(Number(node.value));
  },
};

export const long = {
  serialize: checkLong,
  parseValue: checkLong,
  parseLiteral(node: ValueNode): number {
    if (node.kind !== Kind.INT) {
      throw new GraphQLError(`A Long must be an integer without quotes; got ${print(node)}.`);
    }
    const exact = BigInt(node.value);
    if (BigInt.asIntN(64, exact) !== exact) {
      throw new GraphQLError(`${node.value} does not fit into the 64 bits of a Long.`);
    }
    return checkLong(Number(exact));
  },
};

function checkDecimal(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new GraphQLError(`A Decimal must be a number; got ${describe(value)}.`);
  }
  return value;
}

function checkLong(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new GraphQLError(`A Long must be an integer; got ${describe(value)}.`);
  }
  if (!Number.isSafeInteger(value)) {
    throw new GraphQLError(
      `A Long must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, because JSON clients would round it.`,
    );
  }
  return value;
}

function describe(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
}
