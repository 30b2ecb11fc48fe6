/** The settings of the lab, and the path of its test plan. */

import { parsePort } from '#config/parse-settings.js';
import { setting } from '#config/setting.js';

export const http2Settings = {
  http2LabPort: setting<number | undefined>({
    group: 'listen',
    flag: 'http2-lab-port',
    placeholder: 'number',
    meaning: 'port of the lab for HTTP/2 clients, also with TLS where that is on (default: off)',
    default: undefined,
    parse: parsePort,
    listener: { name: 'HTTP/2 lab', flag: '--http2-lab-port 3005' },
  }),
};

export const planPath = '/api/http2/plan';
