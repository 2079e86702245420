import type { QueryParameters } from '../request/query-parameters.ts'

/**
 * The first version with account signatures, and with addresses and protocols in table signatures.
 */
export const FIRST_OF_ACCOUNTS = '2015-04-05'

/** The first version whose table signatures name the service. */
const FIRST_WITH_SERVICE = '2015-02-21'

/** The first version whose account signatures cover an encryption scope. */
const FIRST_WITH_SCOPE = '2020-12-06'

const LATER_TABLE_FIELDS = ['si', 'sip', 'spr', 'sv', 'spk', 'srk', 'epk', 'erk'] as const
const EARLIER_TABLE_FIELDS = ['si', 'sv', 'spk', 'srk', 'epk', 'erk'] as const

/**
 * Returns the text that the signature of a table's SAS covers. It depends on the version.
 *
 * @param token - the decoded fields of the token
 * @param account - the name of the account
 */
export function tableStringToSign(token: QueryParameters, account: string): string {
  const version = token.get('sv') ?? ''
  const service = version >= FIRST_WITH_SERVICE ? '/table' : ''
  const resource = `${service}/${account}/${(token.get('tn') ?? '').toLowerCase()}`
  const fields = version >= FIRST_OF_ACCOUNTS ? LATER_TABLE_FIELDS : EARLIER_TABLE_FIELDS
  return [...valuesOf(token, ['sp', 'st', 'se']), resource, ...valuesOf(token, fields)].join('\n')
}

/**
 * Returns the text that the signature of an account's SAS covers. It ends with a line feed.
 *
 * @param token - the decoded fields of the token
 * @param account - the name of the account
 */
export function accountStringToSign(token: QueryParameters, account: string): string {
  const fields = ['sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv']
  if ((token.get('sv') ?? '') >= FIRST_WITH_SCOPE) fields.push('ses')
  return [account, ...valuesOf(token, fields), ''].join('\n')
}

function valuesOf(token: QueryParameters, names: readonly string[]): string[] {
  return names.map((name) => token.get(name) ?? '')
}
