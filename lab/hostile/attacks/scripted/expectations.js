/** Clients that wait for 100, and servers that do not send it. */

import { attacksOf, flood } from '../../attacker.js';
import { held } from '../../reach.js';
import { holdAndReset } from '../held-requests.js';

const path = '/api/http/expect';
const waiting = { Expect: '100-continue', 'Content-Length': '1000000' };

export const expectAttacks = attacksOf(
  {
    '3,000 bodies that wait for a 100 that is silent, late or final, then reset': {
      reaches: held,
      run(attacker) {
        const targets = [`${path}/silent`, `${path}/late?delay=10`, `${path}/final?delay=10`];
        const requests = targets.map((target) =>
          attacker.bytes('POST', target, { headers: waiting }),
        );
        return holdAndReset(attacker, 3000, (index) => requests[index % requests.length] ?? '');
      },
    },
    'a last expectation in each of thousands of sandboxes': (attacker) =>
      attacker.repeat(40, (turn) => {
        const headers = { Expect: '100-continue', 'X-Sandbox': `expect-${turn}` };
        return attacker.ask('POST', `${path}/final`, { headers, body: 'x' });
      }),
    'bodies without end after a final status, on 40 connections': (attacker) => {
      const headers = { ...waiting, 'X-Sandbox': 'expect' };
      const request = attacker.bytes('POST', `${path}/final`, { ...attacker.sameAccount, headers });
      const piece = Buffer.alloc(64 * 1024, 'x');
      return attacker.reopen(40, (socket) => {
        socket.resume();
        socket.write(request);
        socket.once('data', () => flood(socket, () => (attacker.isOver() ? undefined : piece)));
      });
    },
  },
  { reaches: 417 },
);
