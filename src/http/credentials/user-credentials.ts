/** Who a request may be of. */
export interface UserCredentials {
  readonly username: string;
  readonly password: string;
}
