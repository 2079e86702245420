import { restInputError } from '../errors/codes.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import type { AccessTokenSource } from '../sign/access-token.ts'
import { BearerCredential } from '../sign/bearer-credential.ts'
import type { Credential } from '../sign/credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'

/** An account key: the name of the account, and the key in base64 as the portal shows it. */
export interface NamedKey {
  /** The name of the account. */
  readonly name: string
  /** One of the account's two keys. */
  readonly key: string
}

/**
 * What proves who is asking: a credential of Rowkey, or a plain form of one.
 *
 * | form | becomes |
 * |---|---|
 * | `new DefaultAzureCredential()`, any credential with `getToken` | {@link BearerCredential} |
 * | `{ name, key }`, `AzureNamedKeyCredential` | {@link SharedKeyCredential} |
 * | `{ sas }` | {@link SasCredential} |
 */
export type GivenCredential =
  | Credential
  | AccessTokenSource
  | NamedKey
  | {
      /** A shared access signature, with or without its leading question mark. */
      readonly sas: string
    }

/**
 * Makes a credential from what the caller gave.
 *
 * @param given - a credential, or a plain form of one
 * @param runsOnServer - whether a key may be used in a build for workers
 * @throws InputError (`InvalidOptionValue`) for anything else, and as the credential's constructor does
 */
export function toCredential(given: GivenCredential, runsOnServer?: boolean): Credential {
  const { authorize, getToken, name, key, sas } = Object(given) as Partial<
    Credential & AccessTokenSource & NamedKey & { sas: string }
  >
  if (typeof authorize === 'function') return given as Credential
  if (typeof getToken === 'function') {
    return new BearerCredential({ credential: given as AccessTokenSource })
  }
  if (typeof name === 'string' && typeof key === 'string') {
    return new SharedKeyCredential({ account: name, key, runsOnServer })
  }
  if (typeof sas === 'string') return new SasCredential(sas)
  throw restInputError({
    code: 'InvalidOptionValue',
    message:
      'credential must be a credential of Rowkey, one with getToken such as DefaultAzureCredential, ' +
      '{ name, key } or { sas }.',
    details: { option: 'credential' },
  })
}
