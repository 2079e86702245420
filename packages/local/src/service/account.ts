import { createSecretKey, type KeyObject } from 'node:crypto'
import { AccountError } from '../errors/account-error.ts'

/** A storage account that an embedded service knows. */
export interface LocalAccount {
  /** 3 to 24 lower-case letters and digits. */
  readonly name: string
  /** The account's key, base64. */
  readonly key: string
}

/** The accounts of one service by name, each with its key ready to sign; the first is the default. */
export type AccountKeys = ReadonlyMap<string, KeyObject>

const NAME = /^[a-z0-9]{3,24}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/

/** Checks the accounts and makes their keys ready. */
export function readAccountKeys(accounts: readonly LocalAccount[]): AccountKeys {
  if (!Array.isArray(accounts) || accounts.length === 0) throw AccountError.none()
  const keys = new Map<string, KeyObject>()
  for (const account of accounts) {
    const { name, key } = Object(account) as Partial<LocalAccount>
    if (typeof name !== 'string' || !NAME.test(name)) throw AccountError.badName(name)
    if (typeof key !== 'string' || !BASE64.test(key)) throw AccountError.badKey(name)
    if (keys.has(name)) throw AccountError.repeated(name)
    keys.set(name, createSecretKey(key, 'base64'))
  }
  return keys
}

/** An account and its key; the first account when no name is given. */
export function keyOfAccount(
  accounts: AccountKeys,
  name: string | undefined,
): { name: string; key: KeyObject } {
  for (const [known, key] of accounts) {
    if (name === undefined || name === known) return { name: known, key }
  }
  throw AccountError.unknown(name, [...accounts.keys()])
}
