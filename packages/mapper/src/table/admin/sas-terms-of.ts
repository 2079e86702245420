import { InputError } from '@rowkey/odata'
import {
  type AccountSasOptions,
  type SasOptions,
  type SasProtocol,
  SharedKeyCredential,
  type TableSasOptions,
  type TableService,
} from '@rowkey/rest'

/** What a SAS of one table is to allow: everything but the table and the key, which it has. */
export type TableSasTerms = Omit<TableSasOptions, 'credential' | 'flavour' | 'now' | 'table'>

/** What a SAS of an account is to allow: everything but the key, which it has. */
export type AccountSasTerms = Omit<AccountSasOptions, 'credential' | 'now'>

const TERM_NAMES = ['expiry', 'ips', 'permissions', 'protocol', 'start', 'version']

/** The names of {@link TableSasTerms}. */
export const TABLE_SAS_TERM_NAMES: readonly string[] = [...TERM_NAMES, 'from', 'policy', 'to']

/** The names of {@link AccountSasTerms}. */
export const ACCOUNT_SAS_TERM_NAMES: readonly string[] = [
  ...TERM_NAMES,
  'resourceTypes',
  'services',
]

/** The first version whose signatures say over what they may be used. */
const PROTOCOL_VERSION = '2015-04-05'

/**
 * What the account of a service adds to the terms of a shared access signature: its key, its clock,
 * and plain http where it is reached by that, as an emulator is.
 *
 * @param service - the account's
 * @param terms - what was asked for
 * @throws InputError (`AccountKeyRequired`) when the service has no account key
 */
export function sasTermsOf(
  { credential, endpoint, now }: TableService,
  terms: TableSasTerms | AccountSasTerms,
): Pick<SasOptions, 'credential' | 'now' | 'protocol'> {
  if (credential instanceof SharedKeyCredential) {
    return { credential, now, protocol: terms.protocol ?? protocolOf(endpoint.origin, terms) }
  }
  throw new InputError({
    code: 'AccountKeyRequired',
    message: `Making a SAS needs the account key, and account '${endpoint.account}' was opened without it. Open it with a connection string that has AccountKey, or with a SharedKeyCredential.`,
  })
}

function protocolOf(
  origin: string,
  { version = PROTOCOL_VERSION }: Partial<SasOptions>,
): SasProtocol | undefined {
  const needsHttp = !origin.startsWith('https:') && version >= PROTOCOL_VERSION
  return needsHttp ? 'https,http' : undefined
}
