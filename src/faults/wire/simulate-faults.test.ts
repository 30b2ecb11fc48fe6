import { describe, expect, test } from 'vitest';
import { parseFault } from './simulate-faults.js';

function parse(query: Record<string, unknown>) {
  const bad: string[] = [];
  const fault = parseFault(query, (parameter) => bad.push(parameter));
  return { fault, bad };
}

describe('the fault that a query requests', () => {
  test.each([
    [{}, undefined],
    [{ page: '2' }, undefined],
    [{ delay: '2' }, { delayMs: 2000, status: undefined }],
    [{ delay: '0' }, { delayMs: 0, status: undefined }],
    [{ delay: '0.25' }, { delayMs: 250, status: undefined }],
    [{ delay: '10' }, { delayMs: 10_000, status: undefined }],
    [{ error: '400' }, { delayMs: 0, status: 400 }],
    [{ error: '599' }, { delayMs: 0, status: 599 }],
    [
      { delay: '1', error: '503' },
      { delayMs: 1000, status: 503 },
    ],
  ])('%j parses to %j', (query, expected) => {
    expect(parse(query)).toEqual({ fault: expected, bad: [] });
  });

  test.each([
    [{ delay: '10.1' }, ['delay']],
    [{ delay: '11' }, ['delay']],
    [{ delay: '-1' }, ['delay']],
    [{ delay: '1e1' }, ['delay']],
    [{ delay: '' }, ['delay']],
    [{ delay: ['1', '2'] }, ['delay']],
    [{ error: '399' }, ['error']],
    [{ error: '600' }, ['error']],
    [{ error: '200' }, ['error']],
    [{ error: 'access_denied' }, ['error']],
    [{ error: ['500', '503'] }, ['error']],
    [{ delay: 'x', error: 'y' }, ['delay', 'error']],
  ])('%j requests no fault, and the parameter is reported', (query, bad) => {
    expect(parse(query)).toEqual({ fault: undefined, bad });
  });

  test('keeps the well-formed part of a query', () => {
    expect(parse({ delay: 'x', error: '500' })).toEqual({
      fault: { delayMs: 0, status: 500 },
      bad: ['delay'],
    });
  });
});
