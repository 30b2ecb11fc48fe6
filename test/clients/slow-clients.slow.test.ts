/** Slow clients from slowhttptest, hundreds at a time, against a service in a separate process. */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { everyThird } from '../support/every-third.js';
import { foreignProgram } from '../support/foreign-program.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';

const connections = 300;
const seconds = 5;

const { run, test } = foreignProgram('slowhttptest');

endPrograms();

describe('others are served during hundreds of', () => {
  test.each(
    everyThird([
      ['do not finish their headers', ['-H', '-i', '1'], '/api/methods/get'],
      ['do not finish their bodies', ['-B', '-i', '1', '-s', '100000'], '/api/methods/post'],
      [
        'hardly read their responses',
        ['-X', '-n', '1', '-w', '1', '-y', '1', '-k', '3'],
        '/openapi.json',
      ],
    ]),
  )('%s', async (_what, mode, path) => {
    const url = await runProgram(['--port', '0', '--host', '127.0.0.1']).started;
    let isOver = false;
    const attack = run(
      ...mode,
      ...['-c', String(connections), '-r', String(connections), '-l', String(seconds)],
      ...['-u', url + path, '-p', '2'],
    ).finally(() => {
      isOver = true;
    });
    let served = 0;
    while (!isOver) {
      const { status, json } = await send(url, `POST /api/methods/post?served=${served}`, {
        json: { served },
      });
      expect(status).toBe(200);
      expect(json.json).toEqual({ served });
      served++;
    }
    const report = stripVTControlCharacters(await attack);
    // The attacker kept its connections all the while, or the checks above would show little.
    expect(report).toMatch(new RegExp(`connected:\\s+${connections}\\s`));
    expect(served).toBeGreaterThan(seconds);
  });
});
