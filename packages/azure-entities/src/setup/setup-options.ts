import type { Agent } from 'node:http'
import process from 'node:process'
import {
  anything,
  declareOptions,
  type InputError,
  type Rule,
  rule,
  withMethods,
} from '@rowkey/odata'
import type { TableService } from '@rowkey/rest'
import { entitiesInputError } from '../errors/codes.ts'
import type { Monitor } from '../operations/table-client.ts'

/** A shared access signature, or a function that gets a new one each time it is called. */
export type SasSource = string | (() => string | Promise<string>)

/** Where the table is and as whom to ask, under the names of either version of that library. */
export interface AccountCredentials {
  /** The name of the account. */
  readonly accountId?: string | undefined
  /** The name of the account, as the first versions spell it. */
  readonly accountName?: string | undefined
  /** One of the account's keys, in base64. */
  readonly accessKey?: string | undefined
  /** One of the account's keys, as the first versions spell it. */
  readonly accountKey?: string | undefined
  /** A shared access signature for the table, instead of a key. */
  readonly sas?: SasSource | undefined
  /** Accepted and not used: Rowkey renews a signature after half of its life. */
  readonly minSASAuthExpiry?: number | undefined
  /** A connection string, instead of all others. That library does not have it. */
  readonly connectionString?: string | undefined
}

/** The options of `setup`, under the names of either version of that library. */
export interface SetupOptions {
  /** The name of the table. */
  readonly tableName?: string | undefined
  /** The name of the table, as the first versions spell it. */
  readonly table?: string | undefined
  /** The account; `'inMemory'` and `null` are for tables in this process. */
  readonly credentials?: AccountCredentials | 'inMemory' | null | undefined
  /** The name of the account, as the first versions spell it; `'inMemory'` for tables in this process. */
  readonly account?: string | undefined
  /** A service of `@rowkey/rest`, instead of credentials. That library does not have it. */
  readonly service?: TableService | undefined
  /** The key that signs entities. Required when a version signs, and rejected otherwise. */
  readonly signingKey?: string | null | undefined
  /** 32 bytes in base64 that encrypt properties. Required when a version encrypts, and rejected otherwise. */
  readonly cryptoKey?: string | null | undefined
  /** A value for each name of `context` in `configure`; every entity has them. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  /** Receives how often calls are made and how long they take. */
  readonly monitor?: Monitor | null | undefined
  /**
   * The agent of Node that requests use, such as an `https.Agent` with options for TLS or a proxy. It has no
   * effect together with `service`.
   *
   * @defaultValue connections that all classes share
   */
  readonly agent?: Agent | null | undefined
  /** Accepted and not used: pass `sas` as a function instead. */
  readonly authBaseUrl?: string | undefined
  /** Accepted and not used: see `minSASAuthExpiry` of the credentials. */
  readonly minSASAuthExpiry?: number | undefined
  /** Accepted and not used, with a warning of the process: use `monitor`. */
  readonly drain?: unknown
  /** Accepted and not used, with a warning of the process: use `monitor`. */
  readonly component?: string | undefined
  /** Accepted and not used, with a warning of the process: use `monitor`. */
  readonly process?: string | undefined
  /**
   * The part of the calls that `Entity.debug` receives, from 0 to 1.
   *
   * @defaultValue 0
   */
  readonly operationReportChance?: number | null | undefined
  /**
   * `Entity.debug` receives each call that takes longer, in milliseconds.
   *
   * @defaultValue 10,000
   */
  readonly operationReportThreshold?: number | undefined
}

/** Makes the error for an option of `setup`. */
export const invalidSetup = (rule: string): InputError =>
  entitiesInputError('InvalidSetup', `setup: ${rule}`)

/** Programs pass null for an option that they do not use. */
const orNull = (one: Rule): Rule => ({
  ...one,
  accepts: (value) => value === null || one.accepts(value),
})

const setupOptions = declareOptions<SetupOptions>(
  {
    account: anything,
    agent: orNull(withMethods('an agent of Node, such as new https.Agent(…)', 'destroy')),
    authBaseUrl: anything,
    component: anything,
    context: rule(
      'an object with a value for each name',
      (context) => typeof context === 'object' && context !== null,
    ),
    credentials: anything,
    cryptoKey: anything,
    drain: anything,
    minSASAuthExpiry: anything,
    monitor: orNull(
      withMethods('an object with the functions measure and count', 'measure', 'count'),
    ),
    operationReportChance: anything,
    operationReportThreshold: anything,
    process: anything,
    service: withMethods('a service of @rowkey/rest, from tableService(…)', 'now', 'transport'),
    signingKey: anything,
    table: anything,
    tableName: anything,
  },
  invalidSetup,
)

const UNUSED = ['drain', 'component', 'process'] as const

/** Measures that a program counts on must not be missing without a word. */
function warnOfUnused(name: (typeof UNUSED)[number]): void {
  process.emitWarning(
    `setup: ${name} has no effect, so no measures are sent to it. Pass monitor: { measure, count }.`,
    { code: 'ROWKEY_UNUSED_OPTION' },
  )
}

/**
 * Checks the options and returns the name of the table.
 *
 * @throws InputError (`InvalidSetup` or `UnknownOption`)
 */
export function tableNameOf(options: SetupOptions): string {
  setupOptions.check(options, 'setup')
  for (const name of UNUSED)
    if (options[name] !== undefined && options[name] !== null) warnOfUnused(name)
  const { tableName = options.table } = options
  if (typeof tableName === 'string' && tableName !== '') return tableName
  throw invalidSetup('tableName is required: the name of the table.')
}
