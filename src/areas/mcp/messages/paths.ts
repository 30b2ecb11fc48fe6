/** Paths of the protocol. */

export const path = '/mcp';
