import { isRowkeyError } from '@rowkey/odata'
import { environmentAddress } from '@rowkey/rest'
import type { ConnectOptions } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { type Environment, homeOf } from './environment.ts'
import type { Target } from './target-options.ts'

/** A path: it begins with a dot, a slash, `~/` or the letter of a drive. */
const PATH = /^(?:\.{1,2}(?:[/\\]|$)|[/\\]|~[/\\]|[A-Za-z]:[/\\])/

/**
 * Finds what to connect to.
 *
 * | target | opens |
 * |---|---|
 * | `azurite` | an emulator on 127.0.0.1:10002 |
 * | `./data`, `/var/data`, `~/data` | the embedded service over that folder |
 * | `@production` | what the variable ROWKEY_PRODUCTION holds |
 * | absent | what ROWKEY_TARGET holds, or the account of the variables of Azure's own tools |
 * | a text with `=` or `:` | as `connect` reads it |
 *
 * @param target - the text of `--target`; absent without the option
 * @param environment - the variables
 * @throws InputError with the code `MissingTarget`; its message contains neither the text nor a value of a variable
 */
export function resolveTarget(
  target: string | undefined,
  environment: Environment,
): string | ConnectOptions {
  // An empty option is an empty variable of the shell, and no reason to open another account.
  const text = target ?? (environment.ROWKEY_TARGET || undefined)
  if (text === undefined) return addressIn(environment)
  if (text.startsWith('@')) return profile(text.slice(1), environment)
  if (text === 'azurite') return 'UseDevelopmentStorage=true'
  if (!PATH.test(text)) return addressText(text)
  return `file:${text.replace(/^~(?=[/\\])/, homeOf(environment))}`
}

function addressText(text: string): string {
  if (/[:=]/.test(text)) return text
  throw cliInputError(
    'MissingTarget',
    'The target is neither azurite, a connection string, a URL with a signature, a @profile, nor a folder, which begins with ' +
      './, / or ~/ as in ./data.',
  )
}

function addressIn(environment: Environment): ConnectOptions {
  try {
    return environmentAddress(environment)
  } catch (error) {
    if (!isRowkeyError(error) || error.code !== 'InvalidEnvironment') throw error
    throw cliInputError(
      'MissingTarget',
      'No target. Give --target with a connection string, a URL with a signature, a folder, azurite or a @profile, or set ' +
        'AZURE_STORAGE_CONNECTION_STRING or ROWKEY_TARGET in the environment or in a file .env.',
    )
  }
}

/**
 * Finds what the user says of an account besides its address: by options, or for `@production` by the variables
 * ROWKEY_PRODUCTION_FLAVOUR and ROWKEY_PRODUCTION_AUTH.
 *
 * @param target - the options
 * @param environment - the variables
 * @throws InputError with the code `MissingTarget` for a variable with another value
 */
export function traitsOf(
  { target, flavour, auth }: Target,
  environment: Environment,
): Pick<Target, 'flavour' | 'auth'> {
  const text = target ?? environment.ROWKEY_TARGET
  if (!text?.startsWith('@')) return { flavour, auth }
  const variable = variableOf(text.slice(1))
  return {
    flavour: flavour ?? choiceIn(environment, `${variable}_FLAVOUR`, ['storage', 'cosmos']),
    auth: auth ?? choiceIn(environment, `${variable}_AUTH`, ['entra']),
  }
}

function choiceIn<Value extends string>(
  environment: Environment,
  variable: string,
  values: readonly Value[],
): Value | undefined {
  const text = environment[variable] || undefined
  const found = values.find((value) => value === text)
  if (text === undefined || found !== undefined) return found
  throw cliInputError('MissingTarget', `${variable} must be ${values.join(' or ')}.`)
}

/**
 * Finds the address of an account whose credential is not part of it.
 *
 * @param target - the text of `--target`; absent without the option
 * @param environment - the variables
 * @throws InputError with the code `MissingTarget` for a target that is not an address alone
 */
export function plainAddress(target: string | undefined, environment: Environment): string {
  const text = target ?? (environment.ROWKEY_TARGET || undefined)
  const { AZURE_STORAGE_ACCOUNT: account } = environment
  if (text === undefined && account) return `https://${account}.table.core.windows.net`
  const address = text === undefined ? '' : resolveTarget(text, environment)
  if (typeof address === 'string' && /^\s*https:[^?]*$/i.test(address)) return address.trim()
  throw cliInputError(
    'MissingTarget',
    '--auth entra needs the address of an account without a credential, such as https://contoso.table.core.windows.net, or the variable AZURE_STORAGE_ACCOUNT.',
  )
}

/** A profile; the others are of the command itself. */
const PROFILE = /^ROWKEY_(?!TARGET$|PROFILES$|(?:\w*_)?(?:FLAVOUR|AUTH)$)([A-Z][A-Z0-9_]*)$/

const variableOf = (name: string): string => `ROWKEY_${name.toUpperCase().replaceAll('-', '_')}`

function profile(name: string, environment: Environment): string | ConnectOptions {
  const variable = variableOf(name)
  const text = environment[variable]
  if (PROFILE.test(variable) && text !== undefined && !text.startsWith('@')) {
    return resolveTarget(text, environment)
  }
  const known = Object.keys(environment).flatMap((key) => {
    const found = PROFILE.exec(key)?.[1]
    return found === undefined ? [] : [`@${found.toLowerCase().replaceAll('_', '-')}`]
  })
  const others = known.length > 0 ? ` These profiles exist: ${known.join(', ')}.` : ''
  throw cliInputError(
    'MissingTarget',
    `The profile @${name} does not exist. Set ${variable} to a target in the environment, in .env or in ~/.rowkey.env.${others}`,
  )
}
