/** AWS Signature Version 4 in exported request collections. */

import type { RequestCollection } from '#kit/request-collection.js';

export const sigv4Collection: RequestCollection = {
  presents: {
    sigv4: {
      kind: 'awsv4',
      accessKey: '{{sigv4KeyId}}',
      secretKey: '{{sigv4Secret}}',
      region: 'us-east-1',
      service: 'execute-api',
    },
  },
  leftOutOfFile: { getAuthSigv4: 'An .http file cannot compute a signature.' },
};
