/** The path of the sandbox of a request. */

export const path = '/api/sandbox';
