import type { ConnectOptions } from 'rowkey'
import type { Environment } from './environment.ts'

/**
 * Finds the shared access signature of a target: in a URL, a connection string, or the variables of Azure's own tools.
 *
 * @param address - what the account is opened by
 * @param environment - the variables
 * @returns its parameters; `undefined` without a signature
 */
export function sasParameters(
  address: string | ConnectOptions,
  environment: Environment,
): URLSearchParams | undefined {
  if (typeof address !== 'string' && 'getToken' in Object(address.credential)) return undefined
  const text = typeof address === 'string' ? address : variableOf(environment)
  const signature = /SharedAccessSignature=([^;]+)/i.exec(text)?.[1]
  const parameters = new URLSearchParams(signature ?? text.slice(text.indexOf('?') + 1))
  return parameters.has('sig') ? parameters : undefined
}

/** The variable that opens the account of a command without a target. */
function variableOf(environment: Environment): string {
  const { AZURE_STORAGE_CONNECTION_STRING: text, AZURE_STORAGE_KEY: key } = environment
  return text || (key ? '' : environment.AZURE_STORAGE_SAS_TOKEN) || ''
}

/**
 * Names the keys that a signature covers; `undefined` when it covers all of its table.
 *
 * @param parameters - of the signature
 */
export function coveredKeys(parameters: URLSearchParams): string | undefined {
  const [from, to] = [
    ['spk', 'srk'],
    ['epk', 'erk'],
  ].map((names) => names.flatMap((name) => parameters.get(name) ?? []).join(', '))
  if (!from && !to) return undefined
  return `keys from ${from || 'the first'} to ${to || 'the last'}`
}
