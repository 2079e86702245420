import { anything, type DeclaredOptions, declareOptions, InputError } from '@rowkey/odata'
import {
  type AccountSasOptions,
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

/** {@link tableSas} and {@link accountSas} check the values. */
const terms = {
  expiry: anything,
  ips: anything,
  permissions: anything,
  protocol: anything,
  start: anything,
  version: anything,
}

export const tableSasTerms: DeclaredOptions<TableSasTerms> = declareOptions<TableSasTerms>({
  ...terms,
  from: anything,
  policy: anything,
  to: anything,
})

export const accountSasTerms: DeclaredOptions<AccountSasTerms> = declareOptions<AccountSasTerms>({
  ...terms,
  resourceTypes: anything,
  services: anything,
})

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
