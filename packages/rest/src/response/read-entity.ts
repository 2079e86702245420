import { isRawEntity, parseEntityJson, type RawEntity } from '@rowkey/odata'
import { partNotLoaded } from '../errors/part-not-loaded.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { EntityRead, ReadResult } from '../request/entity-read.ts'
import { isJson, type JsonResponse } from './check-response.ts'

/**
 * Reads the entity in a response to a read. What is wrong with any other body is said by code that is loaded for it.
 *
 * @param operation - the operation's name, for the message
 * @param response - a response of 200
 * @param read - the input of the read
 * @throws `DecodeError` when the body is not an entity, or is another entity
 */
export function toReadResult(
  operation: string,
  response: HttpResponse,
  read: EntityRead,
): ReadResult | Promise<ReadResult> {
  const raw = rawEntityIn(response)
  if (raw === undefined || !isAsked(raw, read)) return checked(operation, response, read)
  return { raw, etag: response.headers.etag, status: response.status }
}

function rawEntityIn(response: JsonResponse): RawEntity | undefined {
  if (!isJson(response)) return undefined
  try {
    const found = parseEntityJson(response.body)
    return isRawEntity(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** Whether a row has the keys that were asked for. A projection may leave them out. */
function isAsked(raw: RawEntity, { key, select = [] }: EntityRead): boolean {
  const isKey = (found: unknown, asked: string) =>
    found === asked || (found === undefined && select.length > 0)
  return isKey(raw.PartitionKey, key.partitionKey) && isKey(raw.RowKey, key.rowKey)
}

async function checked(
  operation: string,
  response: HttpResponse,
  read: EntityRead,
): Promise<ReadResult> {
  const { checkedResult } = await import('./checked-entity.ts').catch(partNotLoaded)
  return checkedResult(operation, response, read)
}
