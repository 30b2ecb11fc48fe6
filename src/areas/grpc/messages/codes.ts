/** The status codes of gRPC, and what they are in HTTP and Connect. */

/** By number. */
export const codeNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

export type CodeName = (typeof codeNames)[number];

export const codeOf = (name: CodeName): number => codeNames.indexOf(name);

/** The HTTP status of unary Connect, by code. */
const connectStatuses = [
  200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401,
];

export const connectStatusOf = (code: number): number => connectStatuses[code] ?? 500;

/** Connect spells one name in another way. */
export const connectNameOf = (code: number): string =>
  code === 1 ? 'canceled' : (codeNames[code] ?? 'UNKNOWN').toLowerCase();

const byStatus: Readonly<Record<number, CodeName>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ALREADY_EXISTS',
  410: 'NOT_FOUND',
  412: 'ABORTED',
  413: 'RESOURCE_EXHAUSTED',
  415: 'INVALID_ARGUMENT',
  428: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  431: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Returns the code for a failure that the service has with an HTTP status. */
export function codeOfStatus(status: number): CodeName {
  return byStatus[status] ?? (status < 500 ? 'FAILED_PRECONDITION' : 'UNKNOWN');
}
