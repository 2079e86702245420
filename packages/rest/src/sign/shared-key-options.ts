import { anything, declareOptions, oneOf, trueOrFalse } from '@rowkey/odata'
import { ACCOUNT_NAME_RULE, isAccountName } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import type { SharedKeyScheme } from './string-to-sign.ts'

/** The options of a `SharedKeyCredential`. */
export interface SharedKeyOptions {
  /** The account's name. */
  readonly account: string
  /** One of the account's two keys, in base64 as in the portal. */
  readonly key: string
  /**
   * The scheme of the signature; services accept both.
   *
   * @defaultValue `'SharedKeyLite'`, the shorter one
   */
  readonly scheme?: SharedKeyScheme | undefined
  /**
   * Whether this code runs on a server, where no user can read the key. The builds for browsers and workers accept
   * a key only with `true`: set it in a worker whose secrets stay on the server, never in a page. Node ignores it.
   *
   * @defaultValue `false`
   */
  readonly runsOnServer?: boolean | undefined
}

const sharedKeyOptions = declareOptions<SharedKeyOptions>({
  account: anything,
  key: anything,
  scheme: oneOf('SharedKey', 'SharedKeyLite'),
  runsOnServer: trueOrFalse,
})

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Checks all options but the key.
 *
 * @param options - as the caller gave them
 * @returns the name of the account and the scheme
 * @throws InputError (`InvalidCredential`) for an invalid account name, and `InvalidOptionValue` for an unknown scheme
 */
export function checkSharedKeyOptions(options: SharedKeyOptions): {
  readonly account: string
  readonly scheme: SharedKeyScheme
} {
  sharedKeyOptions.check(options, 'SharedKeyCredential')
  const { account, scheme = 'SharedKeyLite' } = options
  return { account: checkAccount(account), scheme }
}

function checkAccount(account: unknown): string {
  if (isAccountName(account)) return account
  throw restInputError({
    code: 'InvalidCredential',
    message: `The account name is invalid: ${ACCOUNT_NAME_RULE}.`,
  })
}

/**
 * Checks that an account key is base64.
 *
 * @param key - as the caller gave it
 * @throws InputError (`InvalidCredential`) otherwise, without the key
 */
export function checkKey(key: unknown): string {
  if (typeof key === 'string' && key !== '' && BASE64.test(key)) return key
  throw restInputError({
    code: 'InvalidCredential',
    message:
      'The account key is not base64. Copy the whole key from the portal, with the = at its end.',
  })
}
