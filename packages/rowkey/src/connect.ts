import { Account, type AccountOptions } from '@rowkey/mapper'
import {
  anything,
  declareOptions,
  describeKind,
  type InputError,
  invalidOption,
} from '@rowkey/odata'
import {
  parseSasUrl,
  type TableServiceOptions,
  tableService,
  tableServiceOptions,
} from '@rowkey/rest'
import { rowkeyInputError } from './errors/codes.ts'
import { embeddedAddress } from './targets/embedded-address.ts'
import { invalidTarget, unsignedUrl } from './targets/invalid-target.ts'

/** Where the account is, the credential, and how to send. */
export type ConnectOptions = TableServiceOptions & AccountOptions

/** The options of an account, without its address and credential. */
export type ConnectSettings = Omit<ConnectOptions, 'connectionString' | 'endpoint' | 'credential'>

const SAS_URL = /^\s*https?:\/\/[^?]*\?(?:.*&)?sig=/i

/**
 * Opens an account. Nothing is sent until the first call, and nothing but this string changes when
 * a program moves from the embedded service to Azure.
 *
 * | target | opens |
 * |---|---|
 * | `memory:` | a new embedded service, in memory, in this process |
 * | `file:./data` | an embedded service that keeps its tables in that folder; absolute paths and `file:///` URLs work, too |
 * | `UseDevelopmentStorage=true` | an emulator on 127.0.0.1:10002 |
 * | a connection string | Azure Storage, Cosmos DB for Table, or any other endpoint |
 * | `https://…?sv=…&sig=…` | the account of a URL with a shared access signature |
 * | options | `{ endpoint, credential, … }`, for everything that a string cannot express; `environmentAddress(process.env)` reads them from the usual variables |
 *
 * Each call with `memory:` starts an empty service; share the account, not the string. A folder is opened
 * by the first call on the account, which throws a StoreError (`StoreLocked`) while another account or
 * process uses it. Close the account to release it.
 *
 * @param target - one of the above
 * @param settings - transport, retry, timeout and so on. They are merged with a target of options.
 * @throws `InputError` before anything is sent: for a target of an unknown kind, an invalid connection
 * string or signature, or an unknown option. Also for an option with one value in the target and another in
 * the settings
 *
 * @example
 * ```ts
 * const account = connect(process.env.TABLES ?? 'memory:')
 * const customers = account.table(Customer)
 * await customers.createIfNotExists()
 * ```
 */
export function connect(target: string | ConnectOptions, settings: ConnectSettings = {}): Account {
  return openAccount(tableService, target, settings)
}

/** The account checks its options. */
const connectOptions = declareOptions<{ readonly [Name in keyof ConnectOptions]?: unknown }>({
  ...tableServiceOptions.rules,
  scans: anything,
  requireEncryption: anything,
  continuationKeys: anything,
})

/**
 * Opens an account over the services that a function makes.
 *
 * @param makeService - `tableService`, or the same with another default transport
 * @param target - as `connect` takes it
 * @param settings - as `connect` takes them
 */
export function openAccount(
  makeService: typeof tableService,
  target: string | ConnectOptions,
  settings: ConnectSettings,
): Account {
  const options = optionsOf(target, settings)
  connectOptions.check(options, 'connect()')
  const { scans, requireEncryption, continuationKeys, ...service } = options
  return new Account(makeService(service), { scans, requireEncryption, continuationKeys })
}

function optionsOf(target: string | ConnectOptions, settings: ConnectSettings): ConnectOptions {
  if (typeof target !== 'object' || target === null) {
    return merged(addressOf(target, settings ?? {}), settings)
  }
  return merged(target, settings)
}

/** Reads the address and the credential from a target that is text. */
function addressOf(
  target: unknown,
  { now, flavour }: Pick<ConnectSettings, 'now' | 'flavour'>,
): ConnectOptions {
  if (typeof target !== 'string') throw invalidTarget(target === null ? 'null' : typeof target)
  if (target === 'memory:' || /^\s*file:/i.test(target))
    return embeddedAddress(target, { now, flavour })
  if (SAS_URL.test(target)) return parseSasUrl(target.trim())
  if (/^\s*https?:/i.test(target)) throw unsignedUrl(target)
  const scheme = /^\s*(\w+):/.exec(target)?.[1]
  if (scheme !== undefined) throw invalidTarget(`${scheme}:`)
  if (target.trim() !== '' && !target.includes('=')) throw invalidTarget("a text without '='")
  return { connectionString: target }
}

/** Merges the settings into the options of the target. */
function merged(target: ConnectOptions, settings: ConnectSettings): ConnectOptions {
  if (typeof settings !== 'object' || settings === null) {
    throw invalidOption(
      `The second argument of connect() must be an object of options, not ${describeKind(settings)}.`,
    )
  }
  const options: Record<string, unknown> = { ...target }
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue
    if (options[name] !== undefined && !Object.is(options[name], value)) {
      throw contradiction(name)
    }
    options[name] = value
  }
  // openAccount checks the names, and the service the values.
  return options as unknown as ConnectOptions
}

function contradiction(option: string): InputError {
  return rowkeyInputError({
    code: 'ContradictingOption',
    message:
      `connect() has two values for the option '${option}': one from its target, and one from its second ` +
      'argument. Leave one out.',
    details: { option },
  })
}
