const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** The rule of {@link isAccountName}, for messages. */
export const ACCOUNT_NAME_RULE =
  'an account name is 1 to 63 letters, digits, dots, dashes and underscores'

/**
 * Tells whether a text can be an account's name. Azure's own have 3 to 24 lower-case letters and
 * digits; Cosmos DB and emulators allow more.
 *
 * @param name - anything
 */
export function isAccountName(name: unknown): name is string {
  return typeof name === 'string' && ACCOUNT_NAME.test(name)
}
