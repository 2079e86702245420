import { isRowkeyError } from '@rowkey/odata'
import { type Account, InputError, ServiceError } from 'rowkey'
import { counted } from '../output/progress.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { codeOf, PATIENCE } from './network-findings.ts'

/** A clock may differ by so many milliseconds before the service rejects signatures. */
const MOST_SKEW = 15 * 60_000
const LITTLE_SKEW = 60_000

/**
 * Compares clocks and asks for the version, by a request without a credential.
 *
 * @returns whether the service responds
 */
export async function* clockFindings(
  address: string,
  now: () => number,
  signal: AbortSignal,
): AsyncGenerator<Finding, boolean, undefined> {
  const response = await fetch(`${address}/Tables`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    redirect: 'manual',
  }).catch((error: Error) => {
    signal.throwIfAborted()
    return codeOf(error.cause ?? error)
  })
  if (typeof response === 'string') {
    const remedy = 'Check that a table service listens at this address, and the proxies before it.'
    yield failed('service', `${address} does not respond: ${response}.`, remedy)
    return false
  }
  await response.body?.cancel()
  const [date, server, version] = ['date', 'server', 'x-ms-version'].map((name) =>
    response.headers.get(name),
  )
  yield ok('service', `${server ?? 'An unnamed service'}${version ? `, version ${version}` : ''}.`)
  if (!date) return true
  const skew = Math.round((now() - Date.parse(date)) / 1000) * 1000
  const detail = `The clock of this machine is ${counted(Math.abs(skew / 1000), 'second')} ${skew < 0 ? 'behind' : 'ahead of'} the service.`
  if (Math.abs(skew) < LITTLE_SKEW) yield ok('clock', detail)
  else yield (Math.abs(skew) < MOST_SKEW ? warning : failed)('clock', detail, SET_CLOCK)
  return true
}

const SET_CLOCK =
  'Set the clock of this machine by NTP. The service rejects signatures that differ by 15 minutes.'

/** Tries what the credential may do: list tables, and read the service properties with their CORS rules. Nothing is written. */
export async function* credentialFindings(
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<Finding, void, undefined> {
  yield await tried(
    'list tables',
    'Give a signature of an account the resource type c and the permission l, or use a key. A signature of one table cannot list.',
    async () => {
      let tables = 0
      for await (const _ of account.tables({ signal })) tables++
      return `The account has ${counted(tables, 'table')}.`
    },
  )
  yield await tried(
    'cors',
    'Reading the service properties needs an account key, or a signature with the resource type s. Browsers need CORS rules.',
    async () => {
      const { cors = [] } = await account.properties.get({ signal })
      if (cors.length === 0) return 'No CORS rules: programs in browsers are rejected.'
      return cors
        .map(
          ({ allowedOrigins, allowedMethods }) =>
            `${allowedOrigins.join(', ')} may ${allowedMethods.join(', ')}.`,
        )
        .join(' ')
    },
  )
}

/** Runs a check; a service that rejects the credential is a warning, and everything else a failure. */
async function tried(check: string, remedy: string, run: () => Promise<string>): Promise<Finding> {
  try {
    return ok(check, await run())
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    // A signature that cannot do it is rejected before it is sent.
    const isRejected =
      error instanceof InputError ||
      (error instanceof ServiceError && /^40[13]$/.test(`${error.status}`))
    return (isRejected ? warning : failed)(check, error.message, remedy)
  }
}
