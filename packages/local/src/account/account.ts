import type { InputError } from '@rowkey/odata'
import { localInputError } from '../errors/codes.ts'
import { SigningKey } from '../platform/crypto.ts'

/** A storage account that an embedded service knows. */
export interface LocalAccount {
  /** 3 to 24 lower-case letters and digits. */
  readonly name: string
  /** The account's key, base64. */
  readonly key: string
}

/** The accounts of one service by name, each with its key ready to sign; the first is the default. */
export type AccountKeys = ReadonlyMap<string, SigningKey>

const NAME = /^[a-z0-9]{3,24}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/

/** Checks the accounts and makes their keys ready. */
export function readAccountKeys(accounts: readonly LocalAccount[]): AccountKeys {
  const keys = new Map<string, SigningKey>()
  for (const account of Array.isArray(accounts) ? accounts : []) {
    const { name, key } = checkAccount(account)
    if (keys.has(name))
      throw refused(`The account '${name}' is given twice: give each account once.`)
    keys.set(name, new SigningKey(key))
  }
  if (keys.size > 0) return keys
  throw refused('No account: give at least one { name, key }, or leave the option out.')
}

/** An account and its key; the first account when no name is given. */
export function keyOfAccount(
  accounts: AccountKeys,
  name: string | undefined,
): { name: string; key: SigningKey } {
  for (const [known, key] of accounts) {
    if (name === undefined || name === known) return { name: known, key }
  }
  const known = [...accounts.keys()].join(', ')
  throw refused(`The embedded service has no account ${JSON.stringify(name)}. It has: ${known}.`)
}

function checkAccount(given: unknown): LocalAccount {
  const { name, key } = Object(given) as Partial<LocalAccount>
  if (typeof name !== 'string' || !NAME.test(name)) {
    const text = JSON.stringify(name)
    throw refused(
      `The account name ${text} is not valid: give 3 to 24 lower-case letters and digits.`,
    )
  }
  if (typeof key === 'string' && BASE64.test(key)) return { name, key }
  const rule = 'give the key as a connection string holds it'
  throw refused(`The key of account '${name}' is not base64: ${rule}.`)
}

function refused(message: string): InputError {
  return localInputError({ code: 'InvalidAccount', message })
}

/** A connection string as every client of the protocol reads it, for an account in path style. */
export function printConnectionString(origin: string, account: string, key: SigningKey): string {
  return [
    'DefaultEndpointsProtocol=http',
    `AccountName=${account}`,
    `AccountKey=${key.toBase64()}`,
    `TableEndpoint=${origin}/${account}`,
  ].join(';')
}

/** The origin that reaches a listener: an address that means every interface is not one to call. */
export function printOrigin(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
