/** The calculator: the four basic operations on 32-bit integers. */

import { paths } from '../paths.js';
import { operation, type Service } from '../service.js';
import { faultType, typedFault } from '../soap-fault.js';
import { maxInt, minInt } from '../values/parse-value.js';

const overflow = faultType('Overflow', { ExactResult: 'string' });
const divisionByZero = faultType('DivisionByZero', { Dividend: 'int' });

const parameters = {
  intA: { type: 'int', sample: '12' },
  intB: { type: 'int', sample: '4' },
} as const;

export const calculator: Service = {
  name: 'Calculator',
  summary: 'Adds, subtracts, multiplies and divides 32-bit integers.',
  path: paths.calculator,
  namespace: 'http://tempuri.org/',
  operations: [
    operation({
      name: 'Add',
      summary: 'The sum of intA and intB.',
      parameters,
      response: { AddResult: 'int' },
      faults: [overflow],
      call: ({ intA, intB }) => ({ AddResult: fitting(intA + intB) }),
    }),
    operation({
      name: 'Subtract',
      summary: 'intA minus intB.',
      parameters,
      response: { SubtractResult: 'int' },
      faults: [overflow],
      call: ({ intA, intB }) => ({ SubtractResult: fitting(intA - intB) }),
    }),
    operation({
      name: 'Multiply',
      summary: 'The product of intA and intB.',
      parameters,
      response: { MultiplyResult: 'int' },
      faults: [overflow],
      // Numbers are exact only up to 2^53, and a product may have 62 bits.
      call: ({ intA, intB }) => ({ MultiplyResult: fitting(BigInt(intA) * BigInt(intB)) }),
    }),
    operation({
      name: 'Divide',
      summary: 'intA divided by intB, without the fraction.',
      parameters,
      response: { DivideResult: 'int' },
      faults: [divisionByZero, overflow],
      call: ({ intA, intB }) => ({ DivideResult: quotient(intA, intB) }),
    }),
  ],
};

function quotient(dividend: number, divisor: number): number {
  if (divisor === 0) {
    const message = `${dividend} cannot be divided by zero: intB must be another number.`;
    throw typedFault('Receiver', divisionByZero, message, { Dividend: dividend });
  }
  return fitting(Math.trunc(dividend / divisor));
}

/** Returns the result if it is an `int`; throws a fault otherwise. */
function fitting(result: number | bigint): number {
  if (result >= minInt && result <= maxInt) return Number(result);
  const message = `The result, ${result}, does not fit into 32 bits: it must be from ${minInt} to ${maxInt}.`;
  throw typedFault('Sender', overflow, message, { ExactResult: String(result) });
}
