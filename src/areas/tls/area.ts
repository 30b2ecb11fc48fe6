/** TLS servers with good and bad certificates, and the files a client needs to trust the good ones. */

import type { Area } from '#kit/area.js';
import { downloads } from './downloads.js';
import { listServers } from './list-servers.js';

export const tlsArea: Area = {
  name: 'tls',
  title: 'TLS',
  guide: 'tls',
  summary: 'Bad certificates your client must reject, client certificates, HTTP/2.',
  front: {
    group: 'http',
    start: '/tls',
    page: {
      path: '/tls',
    },
    examples: () => [
      {
        title: 'List the servers with good and bad certificates',
        method: 'GET',
        path: '/tls',
        response: { status: 200, has: '[' },
      },
    ],
  },
  postman: [
    {
      leftOut: {
        getTlsByFile: 'Exists only where TLS is on.',
        getTlsClientByFile: 'Exists only where TLS is on.',
      },
    },
  ],
  // A client needs the root before it connects, and fetches revocation lists without a service key.
  defaults: { isOpen: true },
  endpoints: ({ runtime: { certificates } }) => [
    listServers(certificates),
    ...downloads(certificates),
  ],
};
