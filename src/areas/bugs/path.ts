/** The path of the bugs of a sandbox. */

export const path = '/api/sandbox/bugs';
