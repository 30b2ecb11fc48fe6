/** A lab for HTTP/2 clients at a separate port: raw frames, right and wrong ones. */

import { valuesIn } from '#config/setting.js';
import type { Area } from '#kit/area.js';
import { findPupilToken, rawPortToken } from '#kit/offers/entries.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { http2Settings, planPath } from './control/settings.js';

const loaded = () => import('./loaded.js');

export const http2Area = {
  name: 'http2',
  title: 'HTTP/2 lab',
  guide: 'test-an-http2-client',
  summary: 'Raw frames that test an HTTP/2 client: what it must reject, and what it must accept.',
  front: {
    group: 'http',
    start: planPath,
    purposes: [
      {
        purpose: 'test',
        title: 'HTTP/2',
        says: 'Raw frames, right and wrong, at the port of --http2-lab-port.',
        line: `curl -s -X POST {base}${planPath}/runs -H 'Content-Type: application/json' -d '{"cases":["odd-padding"]}'`,
        links: [
          ['Test plan', '/verdicts#http2'],
          ['Guide', '/guides/test-an-http2-client'],
        ],
      },
    ],
    banner: (baseUrl, config) =>
      valuesIn(config, http2Settings).http2LabPort === undefined
        ? undefined
        : ['HTTP/2 lab', `${baseUrl}${planPath}`],
    examples: () => [
      {
        title: 'List what a server may do to an HTTP/2 client',
        method: 'GET',
        path: planPath,
        response: { status: 200, has: 'settings-push' },
      },
    ],
  },
  settings: http2Settings,
  needs: [findPupilToken],
  offers: [
    rawPortToken.of(async (services, offered) => {
      const { http2LabPort: port } = valuesIn(services.runtime.config, http2Settings);
      if (port === undefined) return undefined;
      return (await loaded()).rawPortOf(services, port, offered.one(findPupilToken));
    }),
    judgeToken.of(async () => (await loaded()).http2Judge),
  ],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
} satisfies Area;
