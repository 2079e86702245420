import { isRowkeyError } from '@rowkey/odata'
import { environmentAddress, type Flavour } from '@rowkey/rest'
import type { ConnectOptions } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { Environment } from './environment.ts'
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
  return `file:${text.replace(/^~(?=[/\\])/, environment.HOME ?? '~')}`
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
 * Finds the kind of service that the user names: by the option, or for `@production` by the variable ROWKEY_PRODUCTION_FLAVOUR.
 *
 * @param target - the options
 * @param environment - the variables
 * @returns `undefined` when the address is to tell
 * @throws InputError with the code `MissingTarget` for a variable with another value
 */
export function flavourOf(
  { target, flavour }: Target,
  environment: Environment,
): Flavour | undefined {
  const text = target ?? environment.ROWKEY_TARGET
  if (flavour !== undefined || !text?.startsWith('@')) return flavour
  const variable = `${variableOf(text.slice(1))}_FLAVOUR`
  const found = environment[variable] || undefined
  if (found === undefined || found === 'storage' || found === 'cosmos') return found
  throw cliInputError('MissingTarget', `${variable} must be storage or cosmos.`)
}

/** A profile; the others are of the command itself. */
const PROFILE = /^ROWKEY_(?!TARGET$|PROFILES$|(?:\w*_)?FLAVOUR$)([A-Z][A-Z0-9_]*)$/

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
