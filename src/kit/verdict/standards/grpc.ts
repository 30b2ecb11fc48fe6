/** The sections about gRPC that judges cite. Their headings have no numbers. */

const titled = <const Title extends string>(titles: readonly Title[]) =>
  Object.fromEntries(titles.map((title) => [title, title])) as Readonly<Record<Title, Title>>;

const guide = 'https://github.com/grpc/grpc.io/blob/028a1d2a/content/en/docs/guides';
const proposals = 'https://github.com/aip-dev/google.aip.dev/blob/126bed45/aip/general';

export const grpcStandards = {
  'gRPC over HTTP2': {
    edition: 'January 2026',
    readAt: 'https://github.com/grpc/grpc/blob/010decebd969/doc/PROTOCOL-HTTP2.md',
    sections: titled([
      'Requests',
      'Responses',
      'Idempotency and Retries',
      'Errors',
      'GOAWAY Frame',
    ]),
  },
  'gRPC A6 Client Retries': {
    edition: 'changed until 2023',
    readAt: 'https://github.com/grpc/proposal/blob/1fd061ad/A6-client-retries.md',
    sections: titled([
      'Pushback',
      'Limits on Retries and Hedges',
      'When Retries are Valid',
      'Validation of hedgingPolicy',
    ]),
  },
  'gRPC guide Deadlines': {
    edition: '2026',
    readAt: `${guide}/deadlines.md`,
    sections: titled(['Deadlines on the Client', 'Deadline Propagation']),
  },
  'gRPC guide Cancellation': {
    edition: '2026',
    readAt: `${guide}/cancellation.md`,
    sections: titled(['Overview', 'Cancelling an RPC Call on the Client Side']),
  },
  'gRPC guide Wait-for-Ready': {
    edition: '2026',
    readAt: `${guide}/wait-for-ready.md`,
    sections: titled(['Overview']),
  },
  'gRPC guide Keepalive': {
    edition: '2026',
    readAt: `${guide}/keepalive.md`,
    sections: titled(['Keepalive configuration specification']),
  },
  'AIP-154': {
    edition: '2026',
    readAt: `${proposals}/0154.md`,
    sections: titled(['Etags on request methods']),
  },
  'AIP-158': {
    edition: '2026',
    readAt: `${proposals}/0158.md`,
    sections: titled(['Guidance', 'Opacity']),
  },
} as const;
