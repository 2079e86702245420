import { parseArgs } from 'node:util'
import type { LocalAccount } from '@rowkey/local'
import type { Flavour } from '@rowkey/rest'
import { rowkeyInputError } from '../errors/codes.ts'

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
}

const OPTIONS = {
  account: { type: 'string', multiple: true },
  'allow-host': { type: 'string', multiple: true },
  data: { type: 'string' },
  flavour: { type: 'string' },
  host: { type: 'string' },
  'in-memory': { type: 'boolean' },
  port: { type: 'string' },
} as const

/**
 * Reads the arguments that follow `serve`.
 *
 * @throws InputError (`InvalidCommand`) for an unknown option or an invalid value; its message never contains a key
 */
export function parseServeOptions(args: readonly string[]): ServeOptions {
  const { values, positionals } = parse(args)
  // Checked first: the text beside an incomplete account may be its key.
  const accounts = values.account?.map(parseAccount)
  const [surplus] = positionals
  if (surplus !== undefined) {
    const named = surplus.includes('=') ? '' : `, not '${surplus}'`
    throw rowkeyInputError({
      code: 'InvalidCommand',
      message: `serve accepts only options${named}.`,
    })
  }
  if (values.data !== undefined && values['in-memory'] === true) {
    throw rowkeyInputError({
      code: 'InvalidCommand',
      message: 'Give either --data or --in-memory, not both.',
    })
  }
  checkText('data', values.data, 'the path of a folder')
  checkText('host', values.host, 'an address or a host name')
  return {
    data: values.data,
    flavour: values.flavour === undefined ? undefined : parseFlavour(values.flavour),
    port: values.port === undefined ? undefined : parsePort(values.port),
    host: values.host,
    hosts: values['allow-host'],
    accounts,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (cause) {
    // The first sentence names the option and contains no secret; Node's advice follows.
    const message = cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? '') : ''
    throw rowkeyInputError({ code: 'InvalidCommand', message: `${message}.` })
  }
}

function checkText(option: string, text: string | undefined, what: string): void {
  if (text === '')
    throw rowkeyInputError({
      code: 'InvalidCommand',
      message: `--${option} must be ${what}, not ''.`,
    })
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw rowkeyInputError({
    code: 'InvalidCommand',
    message: `--port must be a number from 0 to 65535, not '${text}'.`,
  })
}

function parseFlavour(text: string): Flavour {
  if (text === 'storage' || text === 'cosmos') return text
  throw rowkeyInputError({
    code: 'InvalidCommand',
    message: `--flavour must be storage or cosmos, not '${text}'.`,
  })
}

/** Splits at the first `=`, because keys often end with one. */
function parseAccount(text: string): LocalAccount {
  const [, name, key] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && key !== undefined) return { name, key }
  throw rowkeyInputError({
    code: 'InvalidCommand',
    message: '--account must be a name and a key: --account name=key.',
  })
}
