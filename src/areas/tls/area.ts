/** Servers with TLS, right and wrong, and what a client needs to trust the right ones. */

import type { Area } from '../../kit/area.js';
import { downloads } from './downloads.js';
import { listServers } from './list-servers.js';

export const tlsArea: Area = {
  name: 'tls',
  title: 'TLS',
  guide: 'tls',
  summary: 'Certificates that must be rejected, client certificates, HTTP/2.',
  front: {
    start: '/tls',
    page: {
      path: '/tls',
      way: ['TLS', 'Servers that a client must reject, and the commands to try it with.'],
    },
    examples: () => [
      {
        title: 'List the servers that a client must reject, and the right ones',
        method: 'GET',
        path: '/tls',
        response: { status: 200, has: '[' },
      },
    ],
  },
  postman: [
    {
      leftOut: {
        getTlsByFile: 'It is there where TLS is on.',
        getTlsClientByFile: 'It is there where TLS is on.',
      },
    },
  ],
  // A client needs the root before it connects, and requests revocation lists without a key.
  defaults: { isOpen: true },
  endpoints: ({ certificates }) => [listServers(certificates), ...downloads(certificates)],
};
