import { InputError } from '@rowkey/odata'

/** Thrown when an account of the embedded service has a name or a key that none can have, or is not known to it. */
export class AccountError extends InputError {
  override readonly name = 'AccountError'
  /** Always `'InvalidAccount'`. */
  readonly code = 'InvalidAccount'

  /** @internal */
  static badName(name: unknown): AccountError {
    return new AccountError({
      message: `The account name ${JSON.stringify(name)} is not valid: give 3 to 24 lower-case letters and digits.`,
    })
  }

  /** @internal */
  static badKey(name: string): AccountError {
    return new AccountError({
      message: `The key of account '${name}' is not base64: give the key as a connection string holds it.`,
    })
  }

  /** @internal */
  static repeated(name: string): AccountError {
    return new AccountError({
      message: `The account '${name}' is given twice: give each account once.`,
    })
  }

  /** @internal */
  static none(): AccountError {
    return new AccountError({
      message:
        'The embedded service has no account: give at least one { name, key }, or leave the option out.',
    })
  }

  /** @internal */
  static unknown(name: unknown, known: readonly string[]): AccountError {
    return new AccountError({
      message: `The embedded service has no account ${JSON.stringify(name)}. It has: ${known.join(', ')}.`,
    })
  }
}
