import { ConnectionStringError } from '../errors/connection-string-error.ts'

const NAMES = [
  'accountkey',
  'accountname',
  'defaultendpointsprotocol',
  'developmentstorageproxyuri',
  'endpointsuffix',
  'sharedaccesssignature',
  'tableendpoint',
  'tablesecondaryendpoint',
  'usedevelopmentstorage',
] as const

type ConnectionPairName = (typeof NAMES)[number]

/** The pairs that say something about tables, by their name in lower case. */
export type ConnectionPairs = Partial<Record<ConnectionPairName, string>>

/**
 * Splits `name=value;name=value` into the pairs that are about tables; the others are ignored.
 *
 * A value may hold `=`, as keys and SAS do; so a pair is split at its first.
 *
 * @param text - the connection string
 * @throws {@link ConnectionStringError} naming a pair by its position, because what stands there may
 * be a piece of a key
 */
export function readConnectionPairs(text: string): ConnectionPairs {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new ConnectionStringError({
      message: 'The connection string is empty. It looks like AccountName=…;AccountKey=….',
    })
  }
  const pairs: ConnectionPairs = {}
  for (const [index, segment] of text.split(';').entries()) {
    if (segment.trim() !== '') readPair(segment, index + 1, pairs)
  }
  return pairs
}

function readPair(segment: string, position: number, pairs: ConnectionPairs): void {
  const equals = segment.indexOf('=')
  if (equals < 1) {
    throw new ConnectionStringError({
      message: `Pair ${position} of the connection string has no name and '='. It looks like AccountName=…;AccountKey=….`,
    })
  }
  const name = segment.slice(0, equals).trim().toLowerCase()
  if (!isPairName(name)) return
  const value = segment.slice(equals + 1).trim()
  if (value === '') {
    throw new ConnectionStringError({
      message: `Pair ${position} of the connection string, ${name}, has no value.`,
    })
  }
  if (pairs[name] !== undefined && pairs[name] !== value) {
    throw new ConnectionStringError({
      message: `Pair ${position} of the connection string gives ${name} a second value.`,
    })
  }
  pairs[name] = value
}

function isPairName(name: string): name is ConnectionPairName {
  return (NAMES as readonly string[]).includes(name)
}
