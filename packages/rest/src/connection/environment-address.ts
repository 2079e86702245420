import { describeKind } from '@rowkey/odata'
import { endpointOf } from '../endpoint/endpoint-of.ts'
import { restInputError } from '../errors/codes.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { type ConnectionSettings, parseConnectionString } from './connection-string.ts'

/**
 * Reads the account from the environment variables of Azure's own tools. It uses the first of these
 * that is set and not empty:
 *
 * 1. `AZURE_STORAGE_CONNECTION_STRING`
 * 2. `AZURE_STORAGE_ACCOUNT` and `AZURE_STORAGE_KEY`
 * 3. `AZURE_STORAGE_ACCOUNT` and `AZURE_STORAGE_SAS_TOKEN`
 *
 * An account by name is one of the public cloud; any other needs the connection string.
 *
 * @param environment - usually `process.env`
 * @throws `InputError` (`InvalidEnvironment`) without an account and a credential, without an object, and
 * `InvalidConnectionString` or `InvalidCredential` for an invalid value
 *
 * @example
 * ```ts
 * const account = connect(environmentAddress(process.env))
 * ```
 */
export function environmentAddress(
  environment: Readonly<Record<string, string | undefined>>,
): ConnectionSettings {
  if (typeof environment !== 'object' || environment === null) {
    throw restInputError({
      code: 'InvalidEnvironment',
      message: `environmentAddress takes an object such as process.env; got ${describeKind(environment)}.`,
    })
  }
  const connectionString = environment.AZURE_STORAGE_CONNECTION_STRING
  if (connectionString) return parseConnectionString(connectionString)
  const account = environment.AZURE_STORAGE_ACCOUNT
  const credential = credentialOf(environment, account)
  if (!account || credential === undefined) {
    throw restInputError({
      code: 'InvalidEnvironment',
      message:
        'The environment has no account with a credential. Set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT and either AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
    })
  }
  return {
    endpoint: endpointOf(`https://${account}.table.core.windows.net`, { account }),
    credential,
  }
}

function credentialOf(
  environment: Readonly<Record<string, string | undefined>>,
  account: string | undefined,
): ConnectionSettings['credential'] | undefined {
  const { AZURE_STORAGE_KEY: key, AZURE_STORAGE_SAS_TOKEN: token } = environment
  if (!account) return undefined
  if (key) return new SharedKeyCredential({ account, key })
  return token ? new SasCredential(token) : undefined
}
