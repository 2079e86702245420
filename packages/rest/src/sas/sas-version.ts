import { SasError } from '../errors/sas-error.ts'

/** The first version with a table SAS. */
export const TABLE_SAS_VERSION = '2012-02-12'

/** The first version that puts `/table` before the account in what is signed. */
export const SERVICE_IN_RESOURCE_VERSION = '2015-02-21'

/** The first version with an account SAS, and with `sip` and `spr`. */
export const ACCOUNT_SAS_VERSION = '2015-04-05'

/** The first version whose account SAS signs an encryption scope, even if there is none. */
export const ENCRYPTION_SCOPE_VERSION = '2020-12-06'

const VERSION = /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/**
 * Refuses what cannot be the `sv` of a token. Versions are dates and compare as text.
 *
 * @param version - the version of the service that reads the token
 * @param first - the earliest one that has this kind of token
 * @throws {@link SasError}
 */
export function checkSasVersion(version: string, first: string): string {
  if (typeof version === 'string' && VERSION.test(version) && version >= first) return version
  throw new SasError({
    message: `version of this kind of SAS must be a date such as '2019-02-02', and not before ${first}.`,
  })
}
