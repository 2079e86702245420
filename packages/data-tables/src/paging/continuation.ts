import { decodeBase64UrlText, encodeBase64UrlText } from '@rowkey/odata'
import { type ContinuationToken, parseContinuationToken } from '@rowkey/rest'
import { invalidArgument } from '../errors/check-arguments.ts'

/**
 * Prints the position in a list of entities as the official client does, so that each client reads the tokens of the
 * other. The digest of the query is left out: programs of the official client continue with a filter that has the
 * time of each request.
 *
 * @param token - where the query continues; `undefined` at its end
 */
export function printEntityToken(token: ContinuationToken | undefined): string | undefined {
  if (token === undefined) return undefined
  const { nextPartitionKey, nextRowKey, location } = token
  const json = JSON.stringify({ nextPartitionKey, nextRowKey, location })
  const text = encodeBase64UrlText(json).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/**
 * Parses a token of {@link printEntityToken}, of the official client, or of Rowkey.
 *
 * @throws InputError (`InvalidOptionValue`) for any other text
 */
export function parseEntityToken(text: string): ContinuationToken {
  const json = jsonIn(text)
  if (Array.isArray(json)) return parseContinuationToken(text)
  const { nextPartitionKey, nextRowKey, location } = Object(json)
  if (typeof nextPartitionKey !== 'string') {
    throw invalidArgument(
      'The continuationToken of byPage is invalid. Pass one exactly as a page of the same list gave it.',
    )
  }
  return {
    nextPartitionKey,
    ...(typeof nextRowKey === 'string' && nextRowKey !== '' ? { nextRowKey } : {}),
    ...(location === 'secondary' ? { location } : {}),
  }
}

/** Prints the position in a list of tables as the official client does: as the service gave it. */
export function printTableToken(token: ContinuationToken | undefined): string | undefined {
  return token?.nextTableName
}

/** Parses a token of {@link printTableToken}, of the official client, or of Rowkey. */
export function parseTableToken(text: string): ContinuationToken {
  return Array.isArray(jsonIn(text)) ? parseContinuationToken(text) : { nextTableName: text }
}

/** Base64 with either alphabet, with padding or without. */
function jsonIn(text: string): unknown {
  const bare = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  try {
    return JSON.parse(decodeBase64UrlText(bare) ?? '')
  } catch {
    return undefined
  }
}
