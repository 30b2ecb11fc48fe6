/** Where readers of the description find what a scheme lets in. */
export const seeIndex = 'GET /api/auth lists what is accepted.';
