import { parseArgs } from 'node:util'
import type { LocalAccount } from '@rowkey/local'
import type { Flavour } from '@rowkey/rest'
import { invalidCommand } from '../errors/codes.ts'

/** The options of `rowkey serve`. */
export interface ServeOptions {
  /** The folder of the tables; in memory when absent. */
  readonly data: string | undefined
  /** The service to imitate; Table storage when absent. */
  readonly flavour: Flavour | undefined
  /** The port, 0 for any free one; the emulator's when absent. */
  readonly port: number | undefined
  /** The address to listen on; this machine alone when absent. */
  readonly host: string | undefined
  /** Host names that requests may use, besides addresses and the names of this machine. */
  readonly hosts: readonly string[] | undefined
  /** The accounts; the emulator's, with its published key, when absent. */
  readonly accounts: readonly LocalAccount[] | undefined
  /** How each request is printed; not at all when absent. */
  readonly log: LogForm | undefined
  /** The file with the first rows of the tables. */
  readonly seed: string | undefined
  /** The files of the certificate and of its private key; http when absent. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** How bearer tokens are checked; each is rejected when absent. */
  readonly oauth: 'basic' | undefined
}

/** How `serve` prints a request: a line for people, or one JSON object. */
export type LogForm = 'text' | 'json'

/** The options of `serve`, in the order of the help: the value that the help shows, and what the option does, in lines. */
const OPTIONS = {
  data: {
    type: 'string',
    value: '<folder>',
    help: ['keeps the tables in a folder, which is created when it is missing'],
  },
  flavour: {
    type: 'string',
    value: '<storage|cosmos>',
    help: ['imitates Azure Storage (the default) or Cosmos DB for Table'],
  },
  'in-memory': {
    type: 'boolean',
    value: '',
    help: ['keeps the tables in memory until the service stops (the default)'],
  },
  port: {
    type: 'string',
    value: '<number>',
    help: ['listens on this port; 0 selects a free one (default: 10002)'],
  },
  host: {
    type: 'string',
    value: '<address>',
    help: ['listens on this address (default: 127.0.0.1, only this machine)'],
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: '<name>',
    help: [
      'also accepts requests to this host name and its subdomains; repeatable',
      '(default: at a loopback address only the names of this machine,',
      'at any other address every name)',
    ],
  },
  account: {
    type: 'string',
    multiple: true,
    value: '<name=key>',
    help: [
      'an account and its key in base64; repeatable, also for a second key',
      '(default: devstoreaccount1 with its well-known key)',
    ],
  },
  seed: {
    type: 'string',
    value: '<file>',
    help: [
      'stores the first rows of tables that do not exist yet, from JSON:',
      '{ "people": [{ "PartitionKey": "a", "RowKey": "b" }] }',
    ],
  },
  log: { type: 'string', value: '<text|json>', help: ['prints a line for each request'] },
  cert: {
    type: 'string',
    value: '<file>',
    help: ['serves https with this certificate (PEM); needs --key'],
  },
  key: { type: 'string', value: '<file>', help: ['the private key of the certificate (PEM)'] },
  oauth: {
    type: 'string',
    value: '<basic>',
    help: [
      'accepts bearer tokens with a valid issuer, audience and time, without a',
      'check of their signature; needs --cert',
    ],
  },
} as const

/** The width of the names and values of options in the help. */
const WIDTH = 29

/** What `rowkey serve --help` says of the options: a line for each, and more for long ones. */
export const OPTIONS_TEXT: string = Object.entries(OPTIONS)
  .map(([name, { value, help }]) => {
    const [first, ...more] = help
    const named = `  --${name} ${value}`.padEnd(WIDTH)
    return [`${named}${first}`, ...more.map((line) => `${' '.repeat(WIDTH)}${line}`)].join('\n')
  })
  .join('\n')

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the arguments that follow `serve`. An option that is not among them has the value of its variable:
 * `ROWKEY_ALLOW_HOST` for `--allow-host`. A variable of a repeatable option has several values, with commas between.
 *
 * @param args - the arguments
 * @param environment - the variables of the process
 * @throws InputError (`InvalidCommand`) for an unknown option or an invalid value; its message never contains a key
 */
export function parseServeOptions(
  args: readonly string[],
  environment: Environment = {},
): ServeOptions {
  const given = parse(args)
  const { positionals } = given
  const values = { ...variables(environment, given.values), ...given.values }
  // Checked first: the text beside an incomplete account may be its key.
  const accounts = values.account?.map(parseAccount)
  const [surplus] = positionals
  if (surplus !== undefined) {
    const named = surplus.includes('=') ? '' : `, not '${surplus}'`
    throw invalidCommand(`serve accepts only options${named}.`)
  }
  if (values.data !== undefined && values['in-memory'] === true) {
    throw invalidCommand('Give either --data or --in-memory, not both.')
  }
  if ((values.cert === undefined) !== (values.key === undefined)) {
    throw invalidCommand(
      'https needs both --cert and --key: the files of a certificate and of its private key.',
    )
  }
  const oauth = choice('oauth', values.oauth, ['basic'])
  if (oauth !== undefined && values.cert === undefined) {
    throw invalidCommand(
      '--oauth needs --cert and --key, because clients send tokens only over https.',
    )
  }
  checkText('data', values.data, 'the path of a folder')
  for (const name of ['seed', 'cert', 'key'] as const)
    checkText(name, values[name], 'the path of a file')
  checkText('host', values.host, 'an address or a host name')
  return {
    data: values.data,
    flavour: choice('flavour', values.flavour, ['storage', 'cosmos']),
    port: values.port === undefined ? undefined : parsePort(values.port),
    host: values.host,
    hosts: values['allow-host'],
    accounts,
    log: choice('log', values.log, ['text', 'json']),
    seed: values.seed,
    tls:
      values.cert === undefined || values.key === undefined
        ? undefined
        : { cert: values.cert, key: values.key },
    oauth,
  }
}

type Values = ReturnType<typeof parse>['values']

/** Reads the options that only the environment has. The two places of tables are one choice. */
function variables(environment: Environment, given: Values): Values {
  const isPlaced = given.data !== undefined || given['in-memory'] === true
  const found: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(OPTIONS)) {
    const text = environment[`ROWKEY_${name.toUpperCase().replaceAll('-', '_')}`]
    if (text === undefined || text === '' || (name === 'data' && isPlaced)) continue
    if ('multiple' in option) found[name] = text.split(',').map((each) => each.trim())
    else if (option.type === 'string') found[name] = text
  }
  return found
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (cause) {
    // The first sentence names the option and contains no secret; Node's advice follows.
    const message = cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? '') : ''
    throw invalidCommand(`${message}.`)
  }
}

function checkText(option: string, text: string | undefined, what: string): void {
  if (text === '') throw invalidCommand(`--${option} must be ${what}, not ''.`)
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw invalidCommand(`--port must be a number from 0 to 65535, not '${text}'.`)
}

function choice<Value extends string>(
  option: string,
  text: string | undefined,
  allowed: readonly Value[],
): Value | undefined {
  const found = allowed.find((each) => each === text)
  if (found !== undefined || text === undefined) return found
  throw invalidCommand(`--${option} must be ${allowed.join(' or ')}, not '${text}'.`)
}

/** Splits at the first `=`, because keys often end with one. */
function parseAccount(text: string): LocalAccount {
  const [, name, key] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && key !== undefined) return { name, key }
  throw invalidCommand('--account must be a name and a key: --account name=key.')
}
