import { InputError } from '@rowkey/odata'
import {
  type AccountSasOptions,
  type OptionNames,
  type SasOptions,
  type SasProtocol,
  SharedKeyCredential,
  type TableSasOptions,
  type TableService,
} from '@rowkey/rest'

/** The options of a SAS for one table. The table and the key are those of the table. */
export type TableSasTerms = Omit<TableSasOptions, 'credential' | 'flavour' | 'now' | 'table'>

/** The options of a SAS for an account. The key is that of the account. */
export type AccountSasTerms = Omit<AccountSasOptions, 'credential' | 'now'>

const TERM_NAMES = {
  expiry: true,
  ips: true,
  permissions: true,
  protocol: true,
  start: true,
  version: true,
} as const

const TABLE_NAMES: OptionNames<TableSasTerms> = {
  ...TERM_NAMES,
  from: true,
  policy: true,
  to: true,
}

/** The names of {@link TableSasTerms}. */
export const TABLE_SAS_TERM_NAMES: readonly string[] = Object.keys(TABLE_NAMES)

/** The names of {@link AccountSasTerms}. */
export const ACCOUNT_SAS_TERM_NAMES: OptionNames<AccountSasTerms> = {
  ...TERM_NAMES,
  resourceTypes: true,
  services: true,
}

/** The first version whose signatures can limit the protocol. */
const PROTOCOL_VERSION = '2015-04-05'

/**
 * Returns the account's part of the terms of a shared access signature: its key, its clock, and plain
 * http if the account uses it, as an emulator does.
 *
 * @param service - the service of the account
 * @param terms - the caller's terms
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
    message: `Making a SAS needs the account key, but account '${endpoint.account}' was opened without it. Open it with an AccountKey in its connection string, or a SharedKeyCredential.`,
  })
}

function protocolOf(
  origin: string,
  { version = PROTOCOL_VERSION }: Partial<SasOptions>,
): SasProtocol | undefined {
  const needsHttp = !origin.startsWith('https:') && version >= PROTOCOL_VERSION
  return needsHttp ? 'https,http' : undefined
}
